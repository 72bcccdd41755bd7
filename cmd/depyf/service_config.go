package main

import (
	"encoding/json"

	"github.com/thuml/depyf/internal/answers"
	"github.com/thuml/depyf/internal/card"
	"github.com/thuml/depyf/internal/decompile"
	"github.com/thuml/depyf/internal/explain"
	"github.com/thuml/depyf/internal/pyc"
	"github.com/thuml/depyf/internal/report"
	"github.com/thuml/depyf/internal/service"
)

// serviceConfig connects the pipe to the decompiler and the explainer.
func serviceConfig() service.Config {
	return service.Config{Decompile: serveDecompile, NewSession: serveSession, Judge: judgeComparison, Answer: answerDump}
}

// judgeComparison words what depyf.compare has measured.
func judgeComparison(facts map[string]any) (map[string]any, error) {
	c, err := explain.ComparisonOf(facts)
	if err != nil {
		return nil, err
	}
	list := answers.Wrong([]explain.Comparison{c}, nil)
	data, err := json.Marshal(list[0])
	if err != nil {
		return nil, err
	}
	return map[string]any{"text": report.Compared(list).Text(), "json": string(data)}, nil
}

// answerDump says what a dump comes to, for depyf.explain.
func answerDump(request map[string]any) (map[string]any, error) {
	dir, _ := request["dir"].(string)
	m, err := explain.Replay(dir)
	if err != nil {
		return nil, err
	}
	told := card.Told{Dump: dir}
	told.Raised, _ = request["raised"].(string)
	told.Called, _ = request["called"].(bool)
	linked := explain.Link(m)
	facts := answers.For(linked)
	whole, err := report.Page(facts, dir)
	if err != nil {
		return nil, err
	}
	html, err := card.HTML(facts, told, whole)
	if err != nil {
		return nil, err
	}
	data, err := json.Marshal(answers.Of(linked))
	if err != nil {
		return nil, err
	}
	return map[string]any{"html": html, "text": card.Text(facts, told), "json": string(data)}, nil
}

func serveDecompile(code *pyc.Code, req service.DecompileRequest) (map[string]any, error) {
	r, err := decompiled(code, decompile.Options{
		Name: req.Name, Dynamo: req.Dynamo, ArgNames: req.Callees, Compile: req.Compile, NoProof: req.NoProof, Optimized: req.Optimized,
	})
	if err != nil {
		return nil, err
	}
	return r.Answer(), nil
}

func serveSession(start map[string]any, host service.Host) (service.Session, error) {
	// Every code object of a session is Dynamo's work: transformed frames, and
	// resume functions, which torch makes by editing bytecode.
	run := func(code *pyc.Code, name string, params map[string][]string, from decompile.Origin) (explain.DecompileResult, error) {
		return decompiled(code, decompile.Options{
			Name: name, Dynamo: true, ArgNames: params, Origin: from, Compile: host.Compile, Optimized: host.Optimized(),
		})
	}
	return report.NewSession(start, host, run)
}

func decompiled(code *pyc.Code, opt decompile.Options) (explain.DecompileResult, error) {
	r, err := decompile.Code(code, opt)
	if err != nil {
		return explain.DecompileResult{}, err
	}
	return explain.ResultOf(r), nil
}

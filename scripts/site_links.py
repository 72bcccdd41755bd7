"""A hook of mkdocs: the README and CONTRIBUTING become pages, and links to other files lead to the repository."""

from __future__ import annotations

import pathlib
import re
from typing import Any

from mkdocs.structure.files import File

ROOT = pathlib.Path(__file__).resolve().parents[1]
PAGES = {"README.md": "index.md", "README.zh-CN.md": "index.zh-CN.md", "CONTRIBUTING.md": "contributing.md"}
LINK = re.compile(r"(\]\()([^)#\s:]+)((?:#[^)\s]*)?\))")


def on_files(files: Any, config: Any) -> Any:
    for source, page in PAGES.items():
        files.append(File.generated(config, page, content=(ROOT / source).read_text(encoding="utf-8")))
    return files


def on_page_markdown(markdown: str, page: Any, config: Any, files: Any) -> str:
    at_root = page.file.src_uri in PAGES.values()

    def target(m: "re.Match[str]") -> str:
        path = m.group(2)
        in_repository = path if at_root else "docs/" + path
        where = (ROOT / in_repository).resolve()
        name = where.relative_to(ROOT).as_posix()
        if name in PAGES:
            path = PAGES[name]
        elif name.startswith("docs/") and where.suffix in (".md", ".png"):
            path = name[len("docs/") :]
        elif where.exists():
            path = "%s/%s/main/%s" % (config["repo_url"], "tree" if where.is_dir() else "blob", name)
        return m.group(1) + path + m.group(3)

    return LINK.sub(target, markdown)

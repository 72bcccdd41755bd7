-- What a person does in Neovim with the language server, and what is then to be seen, as JSON in $SEEN.
local seen = {}

local function finish(status)
  local f = assert(io.open(vim.env.SEEN, "w"))
  f:write(vim.fn.json_encode(seen))
  f:close()
  vim.cmd(status == 0 and "qall!" or "cquit " .. status)
end

local function wait(what, ready)
  if not vim.wait(30000, ready, 50) then
    seen = { missing = what }
    finish(1)
    error(what)
  end
end

-- Before Neovim 0.8 a server can open no file, and says where it is.
local said = ""
if not vim.lsp.handlers["window/showDocument"] then
  vim.lsp.handlers["window/showMessage"] = function(_, result)
    said = said .. result.message
  end
end

vim.cmd("edit " .. vim.env.PROGRAM)
local config = { name = "depyf", cmd = { vim.env.DEPYF, "lsp", vim.env.FOLDER }, root_dir = vim.env.FOLDER }
local id
if vim.lsp.start then
  id = vim.lsp.start(config)
else -- before Neovim 0.8
  id = vim.lsp.start_client(config)
  vim.lsp.buf_attach_client(0, id)
end

local program = vim.api.nvim_get_current_buf()
local function diagnostics()
  return vim.diagnostic.get(program)
end

wait("diagnostics", function()
  return #diagnostics() > 0
end)
seen.marks = {}
for _, d in ipairs(diagnostics()) do
  table.insert(seen.marks, { line = d.lnum + 1, from = d.col, to = d.end_col, text = d.message, source = d.source })
end

-- Hover: a window over the text.
vim.api.nvim_win_set_cursor(0, { 7, 4 })
vim.lsp.buf.hover()
local float
wait("hover", function()
  for _, w in ipairs(vim.api.nvim_list_wins()) do
    if vim.api.nvim_win_get_config(w).relative ~= "" then
      float = w
    end
  end
  return float ~= nil
end)
seen.hover = table.concat(vim.api.nvim_buf_get_lines(vim.api.nvim_win_get_buf(float), 0, -1, false), "\n")
vim.api.nvim_win_close(float, true)

-- Go to what the line became: several places, so that they come as a list.
vim.api.nvim_win_set_cursor(0, { 6, 4 })
vim.lsp.buf.definition()
wait("definition", function()
  return #vim.fn.getqflist() > 0
end)
seen.places = {}
for _, q in ipairs(vim.fn.getqflist()) do
  table.insert(seen.places, { file = vim.fn.fnamemodify(vim.fn.bufname(q.bufnr), ":t"), line = q.lnum, text = q.text })
end
vim.cmd("cclose")
vim.api.nvim_set_current_buf(program)

-- Lenses, and a click on one.
vim.lsp.codelens.refresh()
wait("lenses", function()
  return #vim.lsp.codelens.get(program) > 0
end)
seen.lenses = {}
local chosen
for _, l in ipairs(vim.lsp.codelens.get(program)) do
  table.insert(seen.lenses, { line = l.range.start.line + 1, title = l.command.title })
  if l.command.title == "transformed code" then
    chosen = l
  end
end
vim.lsp.buf_request(program, "workspace/executeCommand", { command = chosen.command.command, arguments = chosen.command.arguments }, function() end)
if vim.lsp.handlers["window/showDocument"] then
  wait("the file behind a lens", function()
    return vim.api.nvim_get_current_buf() ~= program
  end)
  seen.opened = vim.fn.expand("%:t")
  vim.api.nvim_set_current_buf(program)
else
  wait("the name of the file behind a lens", function()
    return said ~= ""
  end)
  seen.opened = vim.fn.fnamemodify(said, ":t")
end

-- An edit takes the marks away.
vim.api.nvim_buf_set_lines(program, 6, 7, false, { "    if b.sum() > 0:" })
wait("that the file has changed", function()
  local list = diagnostics()
  return #list == 1 and list[1].lnum == 0
end)
seen.changed = diagnostics()[1].message

finish(0)

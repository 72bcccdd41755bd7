# __compiled_fn_11: the graph before Inductor's last passes.
# compile id: 1/1, from torch_dynamo_resume_in_used_at_24 (/project/own_kernel.py:24)
# source: torch's structured log

class lambda_(torch.nn.Module):
    def forward(self, arg0_1: "Sym(s68)", arg1_1: "f32[s68][1]cuda:0"):
        # File: /project/own_kernel.py:16 in add, code: out = torch.empty_like(x)
        empty: "f32[s68][1]cuda:0" = torch.ops.aten.empty.memory_format([arg0_1], dtype = torch.float32, layout = torch.strided, device = device(type='cuda', index=0), pin_memory = False)

        # File: /venv/lib/python3.12/site-packages/triton/__init__.py:68 in cdiv, code: return (x + y - 1) // y
        add_2: "Sym(s68 + 256)" = arg0_1 + 256
        sub_1: "Sym(s68 + 255)" = add_2 - 1;  add_2 = None
        floordiv: "Sym(((s68 + 255)//256))" = sub_1 // 256;  sub_1 = None

        # File: /project/own_kernel.py:17 in add, code: add_kernel[(triton.cdiv(x.numel(), 256),)](x, y, out, x.numel(), BLOCK=256)
        triton_kernel_wrapper_functional_proxy = torch.ops.higher_order.triton_kernel_wrapper_functional(kernel_idx = 0, constant_args_idx = 3, grid = [(floordiv, 1, 1)], tma_descriptor_metadata = {}, kwargs = {'x_ptr': arg1_1, 'y_ptr': arg1_1, 'out_ptr': empty, 'n': arg0_1}, tensors_to_clone = ['out_ptr']);  floordiv = arg1_1 = empty = arg0_1 = None
        getitem: "f32[s68][1]cuda:0" = triton_kernel_wrapper_functional_proxy['out_ptr'];  triton_kernel_wrapper_functional_proxy = None

        # File: /project/own_kernel.py:26 in torch_dynamo_resume_in_used_at_24, code: return z.cos()
        cos: "f32[s68][1]cuda:0" = torch.ops.aten.cos.default(getitem);  getitem = None
        return (cos,)

"""Real models with random weights and tiny configurations.

A case makes a model and says how to use it; `use` gets the model and a function
that stands for torch.compile, or for nothing, and returns what came out.
"""

from __future__ import annotations

import dataclasses
from typing import Any, Callable

import torch

Use = Callable[[Any, Callable[[Any], Any]], Any]


@dataclasses.dataclass
class Case:
    name: str
    make: Callable[[], Any]
    use: Use
    inductor: bool = False


CASES: dict[str, Case] = {}
TINY = dict(hidden_size=32, num_hidden_layers=2, num_attention_heads=4, intermediate_size=64, vocab_size=99)


def case(use: Use, inductor: bool = False) -> Callable[[Callable[[], Any]], Callable[[], Any]]:
    def add(make: Callable[[], Any]) -> Callable[[], Any]:
        CASES[make.__name__] = Case(make.__name__, make, use, inductor)
        return make

    return add


def tokens(batch: int = 2, length: int = 7, high: int = 99) -> torch.Tensor:
    return torch.randint(3, high, (batch, length), generator=torch.Generator().manual_seed(length))


def image(batch: int = 2, size: int = 32) -> torch.Tensor:
    return torch.rand(batch, 3, size, size, generator=torch.Generator().manual_seed(size))


# Ways of using a model.


def text(model, wrap):
    """Encode, with and without a mask, in two lengths."""
    fn = wrap(model.eval())
    out = [fn(input_ids=tokens())]
    out.append(fn(input_ids=tokens(), attention_mask=torch.tensor([[1] * 7, [1] * 5 + [0] * 2])))
    out.append(fn(input_ids=tokens(length=9)))
    return out


def greedy(model, wrap):
    """Generate by hand, without a cache: each step is longer by one."""
    fn = wrap(model.eval())
    ids = tokens(1, 4)
    with torch.no_grad():
        for _ in range(4):
            scores = fn(input_ids=ids, use_cache=False).logits
            ids = torch.cat([ids, scores[:, -1].argmax(-1, keepdim=True)], dim=1)
    return ids


def generate(model, wrap):
    """Generate with the library's own loop and its cache."""
    model.eval()
    model.forward = wrap(model.forward)
    return model.generate(tokens(1, 4), max_new_tokens=4, do_sample=False, pad_token_id=0)


def training(model, wrap):
    """Three steps of training, one of them with another batch size."""
    fn = wrap(model.train())
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
    losses = []
    for batch in (2, 2, 3):
        ids = tokens(batch)
        loss = fn(input_ids=ids, labels=ids).loss
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
        losses.append(loss.detach())
    return losses


def whole_step(model, wrap):
    """The step itself is compiled: the backward pass breaks the graph."""
    model.train()
    optimizer = torch.optim.SGD(model.parameters(), lr=1e-2)

    def step(x, y):
        optimizer.zero_grad()
        loss = torch.nn.functional.cross_entropy(model(x), y)
        loss.backward()
        optimizer.step()
        return loss.detach()

    step = wrap(step)
    return [step(image(), torch.tensor([1, 2])) for _ in range(2)]


def vision(model, wrap):
    fn = wrap(model.eval())
    return [fn(image()), fn(image(3))]


def pixels(model, wrap):
    fn = wrap(model.eval())
    return [fn(pixel_values=image()), fn(pixel_values=image(1))]


def detection(model, wrap):
    fn = wrap(model.eval())
    with torch.no_grad():
        return fn([image(1, 64)[0], image(1, 48)[0]])


def pair(model, wrap):
    fn = wrap(model.eval())
    return fn(input_ids=tokens(2, 7), decoder_input_ids=tokens(2, 3))


def image_and_text(model, wrap):
    fn = wrap(model.eval())
    return fn(input_ids=tokens(), pixel_values=image())


def speech(model, wrap):
    fn = wrap(model.eval())
    sound = torch.rand(1, 16, 20, generator=torch.Generator().manual_seed(0))
    return fn(input_features=sound, decoder_input_ids=tokens(1, 3))


def waves(model, wrap):
    fn = wrap(model.eval())
    return fn(torch.rand(1, 800, generator=torch.Generator().manual_seed(0)))


# transformers


def hf(model: str, config: str, **options: Any) -> Any:
    import transformers

    return getattr(transformers, model)(getattr(transformers, config)(**{**TINY, **options}))


@case(text, inductor=True)
def bert():
    return hf("BertModel", "BertConfig")


@case(training)
def bert_training():
    return hf("BertForMaskedLM", "BertConfig", hidden_dropout_prob=0.0, attention_probs_dropout_prob=0.0)


@case(text)
def distilbert():
    return hf("DistilBertModel", "DistilBertConfig", dim=32, n_layers=2, n_heads=4, hidden_dim=64)


@case(text)
def roberta():
    return hf("RobertaModel", "RobertaConfig", pad_token_id=1)


@case(text)
def albert():
    return hf("AlbertModel", "AlbertConfig", embedding_size=16)


@case(text)
def deberta():
    return hf("DebertaV2Model", "DebertaV2Config", relative_attention=True, pos_att_type=["p2c", "c2p"])


def gpt2_model():
    return hf("GPT2LMHeadModel", "GPT2Config", n_embd=32, n_layer=2, n_head=4, bos_token_id=1, eos_token_id=2)


@case(greedy, inductor=True)
def gpt2():
    return gpt2_model()


@case(generate)
def gpt2_generate():
    return gpt2_model()


@case(text)
def llama():
    return hf("LlamaForCausalLM", "LlamaConfig", num_key_value_heads=2)


@case(generate)
def llama_generate():
    return hf("LlamaForCausalLM", "LlamaConfig", num_key_value_heads=2)


@case(training)
def llama_training():
    return hf("LlamaForCausalLM", "LlamaConfig", num_key_value_heads=2)


@case(text)
def qwen2():
    return hf("Qwen2ForCausalLM", "Qwen2Config", num_key_value_heads=2)


@case(text)
def mistral():
    return hf("MistralForCausalLM", "MistralConfig", num_key_value_heads=2, sliding_window=4)


@case(text)
def mixtral():
    return hf("MixtralForCausalLM", "MixtralConfig", num_key_value_heads=2, num_local_experts=4, num_experts_per_tok=2)


@case(text)
def gemma():
    return hf("GemmaForCausalLM", "GemmaConfig", num_key_value_heads=2, head_dim=8)


@case(text)
def opt():
    return hf("OPTForCausalLM", "OPTConfig", ffn_dim=64, word_embed_proj_dim=32, max_position_embeddings=64)


@case(text)
def mamba():
    return hf("MambaForCausalLM", "MambaConfig", state_size=4)


@case(pair)
def t5():
    return hf("T5Model", "T5Config", d_model=32, d_kv=8, d_ff=64, num_layers=2, num_heads=4)


@case(pair)
def bart():
    sides = dict(encoder_layers=2, decoder_layers=2, encoder_attention_heads=4, decoder_attention_heads=4)
    return hf("BartModel", "BartConfig", d_model=32, encoder_ffn_dim=64, decoder_ffn_dim=64, **sides)


@case(speech)
def whisper():
    sides = dict(encoder_layers=2, decoder_layers=2, encoder_attention_heads=4, decoder_attention_heads=4)
    lengths = dict(num_mel_bins=16, max_source_positions=10, max_target_positions=20)
    ids = dict(pad_token_id=0, bos_token_id=1, eos_token_id=2, decoder_start_token_id=1)
    return hf(
        "WhisperModel", "WhisperConfig", d_model=32, encoder_ffn_dim=64, decoder_ffn_dim=64, **sides, **lengths, **ids
    )


@case(waves)
def wav2vec2():
    convolutions = dict(conv_dim=(16, 16), conv_stride=(5, 2), conv_kernel=(10, 3), num_feat_extract_layers=2)
    return hf("Wav2Vec2Model", "Wav2Vec2Config", **convolutions, num_conv_pos_embeddings=16)


@case(pixels, inductor=True)
def vit():
    return hf("ViTModel", "ViTConfig", image_size=32, patch_size=8)


@case(pixels)
def swin():
    import transformers

    # The sizes in TINY are for models whose layers are all alike.
    shape = dict(embed_dim=16, depths=[1, 1], num_heads=[2, 2], window_size=4)
    return transformers.SwinModel(transformers.SwinConfig(image_size=32, patch_size=4, **shape))


@case(image_and_text)
def clip():
    import transformers

    config = transformers.CLIPConfig(
        text_config={**TINY, "eos_token_id": 2, "bos_token_id": 1, "pad_token_id": 0},
        vision_config={**TINY, "image_size": 32, "patch_size": 8},
        projection_dim=16,
    )
    return transformers.CLIPModel(config)


# timm and torchvision


def timm_model(name: str, **options: Any) -> Any:
    import timm

    return timm.create_model(name, pretrained=False, num_classes=5, **options)


@case(vision)
def timm_resnet():
    return timm_model("resnet10t")


@case(vision)
def timm_convnext():
    return timm_model("convnext_atto")


@case(vision)
def timm_vit():
    return timm_model("vit_tiny_patch16_224", img_size=32, patch_size=8, depth=2)


@case(vision)
def timm_mixer():
    return timm_model("mixer_s32_224", img_size=32)


def tv(name: str, **options: Any) -> Any:
    import torchvision

    return getattr(torchvision.models, name)(weights=None, **options)


@case(vision, inductor=True)
def resnet18():
    return tv("resnet18", num_classes=5)


@case(whole_step)
def resnet18_training():
    return tv("resnet18", num_classes=5)


@case(vision)
def mobilenet_v3():
    return tv("mobilenet_v3_small", num_classes=5)


@case(detection)
def faster_rcnn():
    import torchvision

    options = dict(weights=None, weights_backbone=None, num_classes=3, min_size=64, max_size=64)
    return torchvision.models.detection.fasterrcnn_mobilenet_v3_large_320_fpn(**options)


@case(detection)
def ssdlite():
    import torchvision

    options = dict(weights=None, weights_backbone=None, num_classes=3)
    return torchvision.models.detection.ssdlite320_mobilenet_v3_large(**options)

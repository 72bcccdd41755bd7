"""What touches torch: hooks that observe torch.compile, each of them optional.

One file per place in torch. A hook that cannot be installed, or that fails,
becomes a `problem` event of the session and costs the report one panel; it
never becomes an exception in the user's program.
"""

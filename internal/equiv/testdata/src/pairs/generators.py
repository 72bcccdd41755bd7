async def f(a):
    async with a as b: await b
    async for x in a: yield x
    if [y async for y in a if await y]: return
# ---
async def f(a):
    async with a as b:

        await b
    async for x in a:

        yield x
    if [y
        async for y in a
        if await y]:
        return

async def f(a):
    await a
    x = await a.b()
    async with a as b: await b
    async for i in a:
        if i: break
        await i
    else: pass
    return [i async for i in a], [await i for i in a], (i async for i in a)
async def g(a):
    yield a
    await a
    async with a: yield 1

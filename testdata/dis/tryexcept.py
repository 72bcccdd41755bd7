def f(a):
    try:
        a()
    except ValueError as e:
        print(e)
    except (KeyError, TypeError):
        raise
    except:
        return 2
    else:
        print(3)
    return 4

from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor


def cube(x):
    return x ** 3


def main():
    try:
        with ProcessPoolExecutor(max_workers=2) as ex:
            print(list(ex.map(cube, range(4))))
    except Exception:
        with ThreadPoolExecutor(max_workers=2) as ex:
            print(list(ex.map(cube, range(4))))


if __name__ == "__main__":
    main()

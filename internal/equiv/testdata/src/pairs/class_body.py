class f:
    x: int = 1

    def g(self):
        self.a = self.b = self.c = 1

    def h(self):
        self.d = 1
# ---



class f:
    x: int = 1

    def g(self):
        self.a = self.b = self.c = 1

    def h(self):
        self.d = 1

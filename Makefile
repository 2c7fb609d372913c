# The front door: `make help` lists what it opens. Every recipe is a call of tools/, Meson or Ninja;
# how things are built stands in meson.build, how they are tested in tools/run_tests.

PREFIX ?= /usr/local
DESTDIR ?=

SUITES = unit language apps faults layers

.PHONY: all help setup demo test bless sanitize tsan soak bench format install clean

all: setup
	@tools/build build

help:
	@tools/help Makefile

setup:
	@tools/setup

demo: all ## builds everything and the newsroom, kills its worker in the middle of a task, shows the end
	@tools/demo build

test: all ## runs every test; the last line is `N passed, N failed`
	@tools/run_tests --build build $(SUITES)

bless: all ## rewrites the expected output of tests/language from what the compiler says now
	@tools/run_tests --build build --bless language

sanitize: setup ## runs every test under AddressSanitizer and UndefinedBehaviorSanitizer
	@tools/build build-sanitize -Db_sanitize=address,undefined -Db_lundef=false -Doptimization=1
	@tools/run_tests --build build-sanitize unit language apps faults

tsan: setup ## runs the tests of threads and workers under ThreadSanitizer
	@tools/build build-tsan -Db_sanitize=thread -Db_lundef=false -Doptimization=1
	@tools/run_tests --build build-tsan unit apps faults

soak: all ## kills and restarts workers for five minutes, then checks every task
	@tools/soak build

bench: all ## measures the compiler and the queue
	@tools/bench build

format: setup ## formats the C sources
	@tools/format

install: all ## installs into $(DESTDIR)$(PREFIX)
	@tools/build build -Dprefix=$(PREFIX)
	@DESTDIR=$(DESTDIR) meson install -C build --no-rebuild --quiet

clean: ## removes every build folder
	@rm -rf build build-sanitize build-tsan build-clang

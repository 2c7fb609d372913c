/* compiler/main.c: the `dever` command. */
#include "compiler/command/command.h"

int main(int argc, char **argv) {
    return command_main(argc, argv);
}

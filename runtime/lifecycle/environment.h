/* runtime/lifecycle/environment.h: nothing but the settings file configures a program. */
#ifndef RUNTIME_LIFECYCLE_ENVIRONMENT_H
#define RUNTIME_LIFECYCLE_ENVIRONMENT_H

/* Removes the variables that the libraries below would obey. Before any thread. */
void environment_clean(void);

#endif

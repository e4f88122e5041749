const others = [
  // Kubernetes and Docker, for services called "redis", "mail" or "database".
  /_(SERVICE_HOST|SERVICE_PORT(_.*)?|PORT|PORT_\d+_(TCP|UDP|SCTP)(_.*)?)$/,
  /^[A-Z0-9]+_ENV_/,
  // X11 sessions, pass, GitLab, Google Cloud, Podman, Environment Modules.
  /^SESSION_MANAGER$/,
  /^PASSWORD_STORE_/,
  /^AUTO_DEVOPS_/,
  /^STORAGE_(EMULATOR_HOST|DRIVER|OPTS)$/,
  /^MODULEPATH$/,
  /^MODULES?_(CMD|HOME|PATH|RUN_QUARANTINE|SET_SHELL_STARTUP|SHELL|VERSION)$/,
]

export const isOthers = (name: string): boolean => others.some((pattern) => pattern.test(name))

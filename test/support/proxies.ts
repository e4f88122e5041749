import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { chmod, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { findProgram, isProgram, searchPath } from './find-program.ts'
import { openScratch, type Scratch, type StartOptions } from './scratch.ts'

/** A running proxy in front of the service. */
export interface Proxy {
  directory: string
  stop(): Promise<void>
}

export const noNginx = 'no nginx found; install nginx or set NGINX_BIN'
export const noCaddy = 'no caddy found; install caddy or set CADDY_BIN'
export const noApache = 'no apache2 with mod_lua and LuaSocket found; install apache2 and lua-socket or set APACHE_BIN'
export const noModOauth2 = 'no apache2 with mod_oauth2 found; install apache2 and libapache2-mod-oauth2'
export const noModAuthOpenidc =
  'no apache2 with mod_auth_openidc found; install apache2 and libapache2-mod-auth-openidc'
export const noHaproxy = 'no haproxy found; install haproxy or set HAPROXY_BIN'

export const findNginx = (): string | undefined => findNamed('NGINX_BIN', 'nginx')
export const findHaproxy = (): string | undefined => findNamed('HAPROXY_BIN', 'haproxy')
export const findCaddy = (): string | undefined => findNamed('CADDY_BIN', 'caddy')
/** Apache counts as installed only if the sample's modules are in Debian's directory. */
export const findApache = (): string | undefined =>
  existsSync(`${apacheModules}/mod_lua.so`) && existsSync('/usr/share/lua/5.3/socket/http.lua')
    ? findNamed('APACHE_BIN', 'apache2')
    : undefined

/** Apache with a module that checks access tokens. */
export const findModOauth2 = (): string | undefined =>
  existsSync(`${apacheModules}/mod_oauth2.so`) ? findNamed('APACHE_BIN', 'apache2') : undefined

/** Apache with a module that signs users in. */
export const findModAuthOpenidc = (): string | undefined =>
  existsSync(`${apacheModules}/mod_auth_openidc.so`) ? findNamed('APACHE_BIN', 'apache2') : undefined

const apacheModules = '/usr/lib/apache2/modules'

/** Debian installs daemons in `sbin` directories, which are not in unprivileged users' PATH. */
function findNamed(variable: string, name: string): string | undefined {
  const named = process.env[variable]
  if (named) return isProgram(named) ? named : undefined
  return findProgram([name], [...searchPath(), '/usr/local/sbin', '/usr/sbin', '/sbin'])
}

/** `http` is given a directory for its files and returns the content of the http block. */
export async function startNginx(port: number, http: (directory: string) => string | Promise<string>): Promise<Proxy> {
  const program = required(findNginx(), noNginx)
  return startProxy('nginx', port, async ({ directory }) => {
    const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    const lines = [
      // If root starts nginx, its workers run as another user, who must be able to read the directory.
      process.getuid?.() === 0 ? 'user root;' : '',
      'worker_processes 2;',
      `pid ${directory}/nginx.pid;`,
      `error_log ${directory}/error.log;`,
      'events { worker_connections 1024; }',
      'http {',
      'access_log off;',
      ...temporary.map((name) => `${name}_temp_path ${directory}/${name};`),
      await http(directory),
      '}',
    ]
    const file = join(directory, 'nginx.conf')
    await writeFile(file, lines.join('\n'))
    const args = ['-p', directory, '-c', file, '-g', 'daemon off;']
    return { program, args, options: { lastSignal: 'QUIT' } }
  })
}

/**
 * `sections` contains the frontends and backends. `socket` is the path of the command socket (HAProxy management guide,
 * 9.3).
 */
export async function startHaproxy(
  port: number,
  sections: (directory: string) => string | Promise<string>,
): Promise<Proxy & { ask(command: string): Promise<string> }> {
  const program = required(findHaproxy(), noHaproxy)
  const proxy = await startProxy('haproxy', port, async ({ directory }) => {
    const file = join(directory, 'haproxy.cfg')
    await writeFile(file, `global\n  stats socket ${directory}/socket level user\n\n${await sections(directory)}`)
    return { program, args: ['-db', '-f', file], options: {} }
  })
  return {
    ...proxy,
    async ask(command) {
      const socket = connect(join(proxy.directory, 'socket'))
      let answer = ''
      socket.setEncoding('utf8').on('data', (text: string) => {
        answer += text
      })
      socket.write(`${command}\n`)
      await once(socket, 'close')
      return answer
    },
  }
}

/** `sites` is the part of the Caddyfile after the global options. */
export async function startCaddy(port: number, sites: string): Promise<Proxy> {
  const program = required(findCaddy(), noCaddy)
  return startProxy('caddy', port, async ({ directory }) => {
    const file = join(directory, 'Caddyfile')
    await writeFile(file, `{\n\tadmin off\n\tauto_https off\n}\n\n${sites}`)
    const env = { HOME: directory, PATH: process.env.PATH ?? '' }
    return { program, args: ['run', '--config', file, '--adapter', 'caddyfile'], options: { env } }
  })
}

/** `site` is given a directory for its files and returns the configuration after the global directives. */
export async function startApache(
  port: number,
  site: (directory: string) => string | Promise<string>,
  env: Record<string, string> = {},
  modules: readonly string[] = ['lua'],
): Promise<Proxy> {
  const program = required(findNamed('APACHE_BIN', 'apache2'), noApache)
  return startProxy('apache', port, async ({ directory }) => {
    // Apache does not run as root, and its user must be able to read the directory.
    await chmod(directory, 0o711)
    const loaded = ['mpm_event', 'authz_core', 'proxy', 'proxy_http', ...modules]
    const lines = [
      `ServerRoot ${directory}`,
      `PidFile ${directory}/apache.pid`,
      `ErrorLog ${directory}/error.log`,
      'ServerName localhost',
      process.getuid?.() === 0 ? 'User www-data\nGroup www-data' : '',
      `Listen 127.0.0.1:${port}`,
      ...loaded.map((name) => `LoadModule ${name}_module ${apacheModules}/mod_${name}.so`),
      await site(directory),
    ]
    const file = join(directory, 'apache.conf')
    await writeFile(file, lines.join('\n'))
    // Apache runs as a single process, which exits when this process does.
    return { program, args: ['-X', '-f', file], options: { env: { PATH: process.env.PATH ?? '', ...env } } }
  })
}

interface Launch {
  program: string
  args: string[]
  options: StartOptions
}

async function startProxy(name: string, port: number, prepare: (scratch: Scratch) => Promise<Launch>): Promise<Proxy> {
  const scratch = await openScratch(name)
  try {
    const { program, args, options } = await prepare(scratch)
    const proxy = await scratch.start(program, args, options)
    await proxy.until(() => accepts(port))
  } catch (error) {
    await scratch.close()
    throw error
  }
  return { directory: scratch.directory, stop: () => scratch.close() }
}

function required(program: string | undefined, reason: string): string {
  if (!program) throw new Error(reason)
  return program
}

async function accepts(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1')
  try {
    await once(socket, 'connect')
    return true
  } catch {
    return false
  } finally {
    socket.destroy()
  }
}

import { readFileSync } from 'node:fs'

const root = new URL('../', import.meta.url)
const read = (path: string): string => readFileSync(new URL(path, root), 'utf8')

interface Sample {
  /** The shell command that packs the package in the folder of the service's source. */
  pack?: string
  /** The shell commands that install what the files need. */
  install?: string
  files: { name: string; text: string }[]
  /** The shell command that starts the application. */
  run?: string
}

/** The files and commands in the guides and examples, which the console shows for an application. */
function applicationSamples(): Record<string, Sample> {
  const node = ['express', 'fastify', 'hono', 'koa', 'nextjs'] as const
  const titles = { express: 'Express', fastify: 'Fastify', hono: 'Hono', koa: 'Koa', nextjs: 'Next.js' }
  return {
    ...Object.fromEntries(node.map((name) => [name, ofGuide(titles[name])])),
    fastapi: ofExample('fastapi', ['wardenry.py', 'main.py']),
    go: ofExample('go', ['go.mod', 'wardenry.go', 'main.go']),
    php: ofExample('php', ['wardenry.php', 'index.php']),
    single_page: {
      ...separated(codeIn('packages/client/README.md', '# @wardenry/client')[0]?.text ?? ''),
      files: ['index.html', 'serve.js'].map((name) => ({ name, text: read(`examples/static/${name}`) })),
      run: 'node serve.js',
    },
    mobile: { files: named(codeIn('docs/integrate.md', '## Mobile app'), ['app.js', 'back-end.js']) },
    nginx: ofGateway('nginx', ['/etc/nginx/conf.d/app.conf']),
    nginx_local: ofGateway('A static site on your machine', ['/etc/nginx/conf.d/app.conf']),
    caddy: ofGateway('Caddy', ['Caddyfile']),
    haproxy: ofGateway('HAProxy', ['/etc/haproxy/haproxy.cfg', '/etc/haproxy/wardenry.lua']),
    apache: ofGateway('Apache', ['/etc/apache2/sites-available/app.conf', '/etc/apache2/wardenry.lua']),
    traefik: ofGateway('Traefik', ['traefik-dynamic.yaml']),
    envoy: ofGateway('Envoy', ['envoy-http-filters.yaml']),
  }
}

/** The content of the file from which the console reads the samples. */
export const samplesFile = (): string => `${JSON.stringify(applicationSamples(), undefined, 2)}\n`

interface Code {
  language: string
  text: string
  /** The example's file, relative to the folder of the example. */
  file: string | undefined
}

/** The code blocks between this heading and the next one. Lines of code can look like headings. */
function codeIn(path: string, heading: string): Code[] {
  const [, after] = `\n${read(path)}`.split(`\n${heading}\n`)
  if (after === undefined) throw new Error(`${path} has no heading ${heading}`)
  const parts = after.matchAll(/^#+ .*|(?:^<!-- examples\/\w+\/(\S+) -->\n)?^```(\w*)\n(.*?)^```/gms)
  const code: Code[] = []
  for (const [whole, file, language = '', text = ''] of parts) {
    if (whole.startsWith('#')) break
    code.push({ file, language, text })
  }
  return code
}

/** A section for a framework: what to install, the files of the example, and the command that starts it. */
function ofGuide(title: string): Sample {
  const code = codeIn('docs/integrate.md', `### ${title}`)
  const commands = code.filter(({ language }) => language === 'bash')
  const files = code.flatMap(({ file, text }) => (file === undefined ? [] : [{ name: file, text }]))
  const [install, run] = commands
  if (!install || !run || files.length === 0) throw new Error(`the section ${title} has another form`)
  const pack = codeIn('docs/integrate.md', '## Another host name').find(({ text }) => text.startsWith('npm pack'))
  return { ...separated(`${pack?.text}${install.text}`), files, run: withoutSettings(run.text) }
}

/** The first command packs the package, and the others are run in the application's folder. */
function separated(commands: string): Pick<Sample, 'pack' | 'install'> {
  const [pack = '', ...install] = commands.trim().split('\n')
  if (!pack.startsWith('npm pack') || install.length === 0) throw new Error(`there are other commands: ${commands}`)
  return { pack, install: install.join('\n') }
}

/** The table in the README of the examples contains the command. */
function ofExample(folder: string, names: readonly string[]): Sample {
  const [, command = ''] =
    new RegExp(`^\\| \`${folder}\` \\| \`(.+?)\` \\|$`, 'm').exec(read('examples/README.md')) ?? []
  if (command === '') throw new Error(`examples/README.md does not contain ${folder}`)
  return {
    files: names.map((name) => ({ name, text: read(`examples/${folder}/${name}`) })),
    run: withoutSettings(command),
  }
}

function ofGateway(title: string, names: readonly string[]): Sample {
  const level = title.includes(' ') ? '###' : '##'
  const code = codeIn('docs/gateways.md', `${level} ${title}`).filter(({ language }) => language !== 'bash')
  return { files: named(code, names) }
}

function named(code: readonly Code[], names: readonly string[]): Sample['files'] {
  if (code.length < names.length) throw new Error(`there is no code for ${names.at(-1)}`)
  return names.map((name, index) => ({ name, text: code[index]?.text ?? '' }))
}

/** The console adds the settings of the application. */
const withoutSettings = (command: string): string => command.trim().replace(/^BRIDGE_SECRET=\S+ /, '')

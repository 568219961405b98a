/** System programs that tests start, each as its own process. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { accessSync, constants } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { projectFolder } from '#app/platform/folders.server.ts'
import { freePort } from './postgres-cluster.ts'

/** Where a system program is, or undefined if it isn't installed. */
export function findProgram(name: string): string | undefined {
  const inPath = (process.env.PATH ?? '').split(delimiter).filter(Boolean)
  return [...inPath, '/usr/sbin'].map((folder) => join(folder, name)).find(isProgram)
}

function isProgram(file: string) {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}

export interface Program {
  port: number
  pid: number
  /** Ends it in any state, and removes its folder. */
  stop(): Promise<void>
}

/** A Redis on loopback that persists nothing. */
export async function startRedis({ port }: { port?: number } = {}): Promise<Program> {
  return startProgram('redis-server', port ?? (await freePort()), (port, folder) => [
    ...['--port', String(port), '--bind', '127.0.0.1', '--dir', folder],
    ...['--save', '', '--appendonly', 'no'],
  ])
}

/** What deploy/nginx.conf does while no site answers. */
const ownPage = async () => {
  const text = await readFile(join(projectFolder, 'deploy/nginx.conf'), 'utf8')
  const [found] = /^ {4}error_page .*\n {4}location = [^}]*\}/m.exec(text) ?? []
  return (found as string).replace('/opt/kettle/', projectFolder)
}

/** An nginx that takes turns between the sites at these ports. */
export const startNginx = async (ports: number[]): Promise<Program> =>
  startProgram('nginx', await freePort(), async (port, folder) => {
    const kinds = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    const file = join(folder, 'nginx.conf')
    await writeFile(
      file,
      `daemon off; worker_processes 1; pid ${folder}/pid; error_log stderr crit;
      ${process.getuid?.() === 0 ? 'user root;' : ''}
      events { worker_connections 1024; }
      http {
        access_log off;
        ${kinds.map((kind) => `${kind}_temp_path ${folder}/${kind};`).join(' ')}
        upstream kettle { ${ports.map((port) => `server 127.0.0.1:${port};`).join(' ')} keepalive 64; }
        server {
          listen 127.0.0.1:${port};
          proxy_http_version 1.1;
          proxy_set_header Connection "";
          proxy_set_header Host $host;
          proxy_set_header X-Forwarded-For $remote_addr;
          ${await ownPage()}
          location / { proxy_pass http://kettle; }
        }
      }`,
    )
    return ['-e', 'stderr', '-p', folder, '-c', file]
  })

async function startProgram(
  name: string,
  port: number,
  wordsOf: (port: number, folder: string) => string[] | Promise<string[]>,
): Promise<Program> {
  const folder = await mkdtemp(join(tmpdir(), `kettle-${name}-`))
  const child = spawn(findProgram(name) ?? name, await wordsOf(port, folder), {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let said = ''
  for (const pipe of [child.stdout, child.stderr])
    pipe.on('data', (text) => {
      said += text
    })
  const ended = once(child, 'exit')
  endWithUs(child)
  const stop = async () => {
    // A stopped process only receives SIGTERM when it continues.
    child.kill('SIGCONT')
    child.kill('SIGTERM')
    await ended
    await rm(folder, { recursive: true, force: true })
  }
  while (!(await answers(port))) {
    if (hasEnded(child)) {
      await stop()
      throw new Error(`${name} did not start:\n${said}`)
    }
    await wait(20)
  }
  return { port, pid: child.pid as number, stop }
}

/** Asks it to end first, because a killed site leaves its embedded database running. */
const ENDING = `
read -r closed
kill -CONT $1; kill -TERM $1
for tenth in $(seq 300); do kill -0 $1 2>/dev/null || exit; sleep 0.1; done
kill -KILL $1`

/** A shell waits for input that we never write, and ends the program when we're gone for any reason. */
export function endWithUs(program: ChildProcess) {
  const guard = spawn('/bin/sh', ['-c', ENDING, 'guard', String(program.pid)], {
    stdio: ['pipe', 'ignore', 'ignore'],
    // Ctrl-C mustn't reach it before us.
    detached: true,
  })
  guard.unref()
  ;(guard.stdin as Socket).unref()
  program.once('exit', () => guard.kill('SIGKILL'))
}

const hasEnded = ({ exitCode, signalCode }: ChildProcess) =>
  exitCode !== null || signalCode !== null

async function answers(port: number) {
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

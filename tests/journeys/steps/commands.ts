/** The site's commands, as in a terminal on the same machine. For journeys. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { projectFolder } from '#app/platform/folders.server.ts'

/** @param dataDir the site's, with its other settings */
export const commandsBeside =
  (dataDir: string, settings: Record<string, string> = {}) =>
  async (name: string, ...words: string[]) => {
    const program = join(projectFolder, `dist/server/${name}.js`)
    const child = spawn(process.execPath, [program, ...words], {
      env: {
        ...(process.env.PATH && { PATH: process.env.PATH }),
        DATA_DIR: dataDir,
        TZ: 'UTC',
        ...settings,
      },
    })
    let said = ''
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (text) => {
        said += text
      })
    const [code] = await once(child, 'close')
    return { code, said: said.trim() }
  }

/** For people who come while the site stops or starts. nginx shows the same file while no process answers. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { projectFolder } from '../folders.server.ts'
import { hashOf } from './security-headers.server.ts'

const html = readFileSync(join(projectFolder, 'deploy/restarting.html'), 'utf8')
const inlineHash = (tag: string) =>
  hashOf(html.split(`<${tag}>`)[1]?.split(`</${tag}>`)[0] as string)

export const restartingPage = {
  page: () => html,
  headers: [
    [
      'content-security-policy',
      `default-src 'none'; style-src ${inlineHash('style')}; script-src ${inlineHash('script')}`,
    ],
  ] as [string, string][],
}

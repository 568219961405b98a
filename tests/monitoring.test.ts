/** What deploy/monitoring gives to Prometheus and Grafana. tests/journeys/operations.journey.ts compares its metrics. */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { findProgram } from './support/programs.ts'

const promtool = findProgram('promtool')
const NONE = 'not installed here: promtool (Debian’s package prometheus)'

const rules = (file: string) => {
  const { status, stdout, stderr } = spawnSync(promtool as string, ['check', 'rules', file], {
    encoding: 'utf8',
  })
  return { status, said: stdout + stderr }
}

test('Prometheus takes the alerts', ({ skip }) => {
  skip(!promtool, NONE)
  expect(rules('deploy/monitoring/alerts.yml')).toMatchObject({
    status: 0,
    said: expect.stringMatching(/SUCCESS: \d\d rules found/),
  })
})

test('Prometheus understands every panel of the dashboard', ({ skip }) => {
  skip(!promtool, NONE)
  const dashboard = JSON.parse(readFileSync('deploy/monitoring/dashboard.json', 'utf8'))
  const exprs: string[] = []
  JSON.stringify(dashboard, (key, value) => {
    if (key === 'expr') exprs.push(value.replaceAll('$__rate_interval', '5m'))
    return value
  })
  expect(exprs.length).toBeGreaterThan(20)
  const folder = mkdtempSync(join(tmpdir(), 'kettle-dashboard-'))
  try {
    const file = join(folder, 'rules.yml')
    const all = exprs.map((expr, i) => ({ record: `panel_${i}`, expr }))
    // JSON is YAML.
    writeFileSync(file, JSON.stringify({ groups: [{ name: 'panels', rules: all }] }))
    expect(rules(file)).toMatchObject({ status: 0 })
  } finally {
    rmSync(folder, { recursive: true })
  }
})

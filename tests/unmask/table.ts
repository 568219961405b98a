/** The results as one table for people to read. */
import { isKnown, isKnownLive, isKnownWithKeys } from './known-to-fail.ts'
import type { Measured, PlantFound } from './measure.ts'
import type { Verdict } from './verdict.ts'

const percent = (share: number) => `${(100 * share).toFixed(1)}%`
const area = (auc: number) => auc.toFixed(3)

export function tableOf({ size, verdicts, remote, payroll, withKeys, live }: Measured): string {
  const fromAfar = remote.map(({ surface, pairs, tooNear, fewest, passes }) => [
    ...['public answers', surface, 'each minute', String(pairs)],
    ...[`${tooNear} too near`, `fewest ${fewest}`, '', '0 or ≥ 5', passes ? 'passes' : 'FAILS'],
  ])
  const head = ['question', 'attack', 'copy', 'asked', 'top-1', 'AUC', 'prior', 'bound', 'verdict']
  const table = [head, head.map(() => '---'), ...verdicts.map(rowOf(isKnown)), ...fromAfar]
  for (const found of payroll)
    table.push(...found.verdicts.map(rowOf(() => false)), [
      ...['pay → person on the payroll', 'their amounts in the database', 'both', ''],
      ...[percent(found.recognized), '', '', '', 'by design'],
    ])
  if (live) table.push(...live.verdicts.map(rowOf(isKnownLive)))
  if (withKeys)
    table.push(...withKeys.verdicts.map(rowOf(isKnownWithKeys)), [
      ...['post → account', 'opened by the key', 'both', ''],
      ...[percent(withKeys.postsOpened), '', '', '', 'by design'],
    ])
  return [
    `${size.members} members, ${size.ratings} ratings, ${size.posts} posts${live ? `, ${live.requests} requests` : ''}`,
    '',
    ...aligned(table),
  ].join('\n')
}

const rowOf = (isExpected: typeof isKnown) => (one: Verdict) => [
  ...[one.question, one.attack],
  isExpected === isKnownWithKeys ? `${one.copy}, with keys` : one.copy,
  ...[String(one.targets), percent(one.top1), area(one.auc)],
  `${percent(one.prior.top1)} / ${area(one.prior.auc)}`,
  `${percent(one.bound.top1)} / ${area(one.bound.auc)}`,
  one.passes ? 'passes' : isExpected(one) ? 'known' : 'FAILS',
]

export function plantTableOf(plants: PlantFound[]): string {
  const rows = plants.map(({ leak, isClean, caught, verdict }) => [
    ...[leak, verdict?.question ?? 'public answers'],
    ...(verdict ? [percent(verdict.top1), area(verdict.auc)] : ['', '']),
    verdict ? `${percent(verdict.prior.top1)} / ${area(verdict.prior.auc)}` : '',
    verdict ? `${percent(verdict.bound.top1)} / ${area(verdict.bound.auc)}` : '',
    isClean ? 'passes' : 'FAILS',
    caught ? 'caught' : 'MISSED',
  ])
  const head = ['planted', 'question', 'top-1', 'AUC', 'prior', 'bound', 'without it', 'with it']
  return aligned([head, head.map(() => '---'), ...rows]).join('\n')
}

function aligned(rows: string[][]): string[] {
  const widths = (rows[0] ?? []).map((_, n) => Math.max(...rows.map((row) => row[n]?.length ?? 0)))
  return rows.map((row) => `| ${row.map((cell, n) => cell.padEnd(widths[n] ?? 0)).join(' | ')} |`)
}

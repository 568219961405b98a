import { useQuery } from '@tanstack/react-query'
import { useApi } from '#app/api/client.ts'
import { reasonName } from '#app/identity/accounts/suspension.ts'
import { Button } from '#app/kit/ui/button.tsx'
import { dateText } from '#app/kit/ui/format.ts'
import { Loading, Skeleton } from '#app/kit/ui/skeleton.tsx'
import type { Removals, ReportContract } from '../report.contract.ts'
import { removalsQuery } from '../report.data.ts'

export function Removed({ companyId }: { companyId?: string }) {
  const api = useApi<ReportContract>()
  const { data, isError, refetch } = useQuery(removalsQuery(api, companyId))
  if (isError && !data)
    return (
      <p className="flex flex-wrap items-center gap-x-3 text-ink-soft">
        This didn’t load.
        <Button variant="link" size="sm" onClick={() => refetch()}>
          Try Again
        </Button>
      </p>
    )
  if (!data)
    return (
      <Loading>
        <Skeleton className="h-20 w-full" />
      </Loading>
    )
  if (data.length === 0) return <p className="text-ink-soft">Nothing has been removed.</p>
  return <RemovalTable rows={data} />
}

/** Replies are rarely removed and phones are narrow, so replies only get a column if there are any. */
const KINDS = [
  { name: 'Threads', key: 'threads', isSeldom: false },
  { name: 'Comments', key: 'comments', isSeldom: false },
  { name: 'Notes', key: 'notes', isSeldom: false },
  { name: 'Jobs', key: 'jobs', isSeldom: true },
  { name: 'Replies', key: 'replies', isSeldom: true },
] as const

function RemovalTable({ rows }: { rows: Removals[] }) {
  const kinds = KINDS.filter(({ key, isSeldom }) => !isSeldom || rows.some((row) => row[key] > 0))
  return (
    <table className="w-full border-collapse text-left leading-5">
      <caption className="sr-only">What moderators removed, by month and reason</caption>
      <thead className="text-ink-faint">
        <tr className="border-b border-line">
          <th scope="col" className={cell}>
            Month
          </th>
          <th scope="col" className={cell}>
            Reason
          </th>
          {kinds.map(({ name, key }) => (
            <th key={key} scope="col" className={number}>
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody className="text-ink-soft">
        {rows.map((row) => (
          <tr key={`${row.month} ${row.reason}`} className="border-b border-line">
            <td className={cell}>{dateText(row.month)}</td>
            <td className={cell}>{reasonName(row.reason)}</td>
            {kinds.map(({ key }) => (
              <td key={key} className={number}>
                {row[key]}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

const cell = 'py-2 pr-4 align-top font-normal'
const number = 'py-2 pl-2 text-right align-top font-normal tabular-nums'

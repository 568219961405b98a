/** What moderators removed, by month and reason. It comes when somebody opens it. */

import { useQuery } from '@tanstack/react-query'
import { useApi } from '../../../api/client.ts'
import { Button } from '../../../ui/button.tsx'
import { dateText } from '../../../ui/date-text.ts'
import { Skeleton } from '../../../ui/skeleton.tsx'
import type { Removals, ReportContract } from '../report.contract.ts'
import { removalsQuery } from '../report.data.ts'
import { reasonName } from '../report.ts'

export function Removed({ companyId }: { companyId?: string }) {
  const api = useApi<ReportContract>()
  const { data, isError, refetch } = useQuery(removalsQuery(api, companyId))
  if (isError && !data)
    return (
      <p className="flex flex-wrap items-center gap-x-3 text-ink-soft">
        This did not load.
        <Button variant="link" size="sm" onClick={() => refetch()}>
          Try Again
        </Button>
      </p>
    )
  if (!data)
    return (
      <div role="status" aria-label="Loading...">
        <Skeleton className="h-20 w-full" />
      </div>
    )
  if (data.length === 0) return <p className="text-ink-soft">Nothing has been removed.</p>
  return <RemovalTable rows={data} />
}

function RemovalTable({ rows }: { rows: Removals[] }) {
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
          <th scope="col" className={number}>
            Threads
          </th>
          <th scope="col" className={number}>
            Comments
          </th>
          <th scope="col" className={number}>
            Notes
          </th>
        </tr>
      </thead>
      <tbody className="text-ink-soft">
        {rows.map(({ month, reason, threads, comments, notes }) => (
          <tr key={`${month} ${reason}`} className="border-b border-line">
            <td className={cell}>{dateText(month)}</td>
            <td className={cell}>{reasonName(reason)}</td>
            <td className={number}>{threads}</td>
            <td className={number}>{comments}</td>
            <td className={number}>{notes}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

const cell = 'py-2 pr-4 align-top font-normal'
const number = 'py-2 pl-2 text-right align-top font-normal tabular-nums'

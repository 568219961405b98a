import { useQuery } from '@tanstack/react-query'
import { Inbox } from 'lucide'
import { useApi } from '#app/api/client.ts'
import { IconCount } from '#app/kit/ui/badge.tsx'
import { Icon } from '#app/kit/ui/icon.tsx'
import type { AdministrationContract } from '../administration.contract.ts'
import { waitingQuery } from '../waiting.data.ts'
import { shownCount, totalWaiting } from '../waiting.ts'

/**
 * Shows people who decide what's waiting. Load it lazily, because readers don't need it. @param href where
 * they decide
 */
export function WaitingLink({ href }: { href: string }) {
  const { data } = useQuery(waitingQuery(useApi<AdministrationContract>()))
  const total = totalWaiting(data?.waiting ?? [])
  if (total === 0) return null
  return (
    <a
      href={href}
      aria-label={`${shownCount(total)} waiting for a decision`}
      data-tooltip="Waiting for you"
      className="relative inline-flex size-10 shrink-0 items-center justify-center rounded-md text-ink-soft transition-colors hover:bg-sunken hover:text-ink"
    >
      <Icon of={Inbox} className="size-[1.125rem]" />
      <IconCount>{shownCount(total)}</IconCount>
    </a>
  )
}

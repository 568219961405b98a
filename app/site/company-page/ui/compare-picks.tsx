import { useQuery } from '@tanstack/react-query'
import { Check, Plus } from 'lucide'
import { useEffect, useState } from 'react'
import { useApi } from '#app/api/client.ts'
import type { CompanyContract } from '#app/companies/company.contract.ts'
import {
  COMPARED_MAX,
  COMPARED_MIN,
  comparePath,
  PICK_PARAM,
  referencesIn,
  toggled,
} from '#app/companies/company.ts'
import { navigate, useAddress } from '#app/kit/ui/address.ts'
import { Button, buttonClasses } from '#app/kit/ui/button.tsx'
import { cx } from '#app/kit/ui/cx.ts'
import { Icon } from '#app/kit/ui/icon.tsx'
import { comparisonQuery, listed } from '../compare.data.ts'

/**
 * The companies chosen for comparison. Only the list's URL has them. The server renders none,
 * because pages are the same for everyone.
 */
export function usePicks() {
  const { search } = useAddress()
  const [isMounted, setMounted] = useState(false)
  useEffect(() => setMounted(true), [])
  return isMounted ? picksOf(search) : []
}

const picksOf = (search: string) => referencesIn(new URLSearchParams(search).get(PICK_PARAM))

/** The current URL with other picks. */
function addressWith(picks: string[]) {
  const query = new URLSearchParams(window.location.search)
  query.delete(PICK_PARAM)
  const pick = picks.length > 0 ? `${PICK_PARAM}=${picks.map(encodeURIComponent).join(',')}` : ''
  const search = [query.toString(), pick].filter(Boolean).join('&')
  return search ? `/companies?${search}` : '/companies'
}

const pick = (picks: string[]) => navigate(addressWith(picks), { replace: true })

interface PickToggleProps {
  name: string
  reference: string
  picks: string[]
}

export function PickToggle({ name, reference, picks }: PickToggleProps) {
  const isPicked = picks.includes(reference)
  const isFull = !isPicked && picks.length >= COMPARED_MAX
  return (
    <button
      type="button"
      aria-pressed={isPicked}
      aria-label={`Compare ${name}`}
      disabled={isFull}
      // Read from the URL, because people may press faster than React renders.
      onClick={() => pick(toggled(picksOf(window.location.search), reference))}
      className={cx(
        // Above the link that covers the card.
        'relative z-10 -mb-1 inline-flex min-h-9 items-center gap-1.5 self-start rounded-md border px-2.5 text-[0.8125rem] transition-colors no-js:hidden',
        isPicked
          ? 'border-tea bg-tea-soft font-medium text-tea-strong'
          : 'border-line text-ink-soft hover:border-line-strong hover:text-ink',
        'disabled:cursor-not-allowed disabled:opacity-60',
      )}
    >
      <Icon of={isPicked ? Check : Plus} className="size-3.5" />
      Compare
    </button>
  )
}

/** Sticks to the bottom of the window while something is chosen. */
export function PickBar({ picks }: { picks: string[] }) {
  const isEnough = picks.length >= COMPARED_MIN
  const names = usePickedNames(picks)
  const status = isEnough
    ? [`${picks.length} of ${COMPARED_MAX} selected`, names].filter(Boolean).join(': ')
    : picks.length === 1
      ? `${names || '1'} selected. Add one more to compare.`
      : ''
  return (
    <>
      <p role="status" className="sr-only">
        {status}
      </p>
      {picks.length > 0 && (
        <section
          aria-label="Compare"
          className="sticky bottom-[calc(var(--banner-room,0px)+0.75rem)] z-20 mt-8 flex flex-wrap items-center gap-x-2 gap-y-2 rounded-xl border border-line bg-surface px-4 py-3 shadow-popup"
        >
          <p className="min-w-0 flex-1 basis-44 text-sm text-ink-soft" aria-hidden="true">
            {status}
          </p>
          <Button variant="ghost" size="sm" onClick={() => pick([])}>
            Clear
          </Button>
          {isEnough && (
            <a href={comparePath(picks)} className={buttonClasses('primary', 'sm')}>
              Compare
            </a>
          )}
        </section>
      )}
    </>
  )
}

/** Not from the list, because someone may come with a company that isn't on it. */
function usePickedNames(picks: string[]) {
  const query = comparisonQuery(useApi<CompanyContract>(), picks.join(','))
  const { data } = useQuery({ ...query, enabled: picks.length > 0 })
  return listed((data?.companies ?? []).map(({ name }) => name))
}

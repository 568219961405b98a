/** For administrators. Work addresses are masked. */
import { useInfiniteQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { useApi } from '#app/api/client.ts'
import { Button } from '#app/kit/ui/button.tsx'
import { cx } from '#app/kit/ui/cx.ts'
import { EmptyState } from '#app/kit/ui/message.tsx'
import { PagedList } from '#app/kit/ui/paged-list.tsx'
import type { ClaimContract } from '../claim.contract.ts'
import { reviewedClaimsQuery } from '../claim.data.ts'
import { CLAIM_LISTS, type ClaimList } from '../claim.ts'
import { CLAIM_LIST_EMPTY, CLAIM_LIST_NAMES } from '../claim-texts.ts'
import { ReviewedClaimRow } from './reviewed-claim-row.tsx'

export function ClaimsReview() {
  const [list, setList] = useState<ClaimList>('waiting')
  const top = useRef<HTMLDivElement>(null)
  const query = useInfiniteQuery(reviewedClaimsQuery(useApi<ClaimContract>(), list))
  const claims = query.data?.pages.flatMap((page) => page.claims) ?? []
  return (
    <div ref={top} tabIndex={-1} className="outline-none">
      <p className="max-w-prose text-sm leading-6 text-ink-soft">
        Approved people can reply as the company. The email or the record only shows that someone
        belongs to its domain, not that they may speak for it.
      </p>
      <fieldset className="mt-5 mb-4 flex flex-wrap gap-2">
        <legend className="sr-only">Which claims</legend>
        {CLAIM_LISTS.map((each) => (
          <Button
            key={each}
            variant="secondary"
            size="sm"
            aria-pressed={list === each}
            onClick={() => setList(each)}
            className={cx(list === each && 'border-tea! bg-tea-soft! text-tea-strong!')}
          >
            {CLAIM_LIST_NAMES[each]}
          </Button>
        ))}
      </fieldset>
      <PagedList
        query={query}
        items={claims}
        empty={<EmptyState {...CLAIM_LIST_EMPTY[list]} />}
        render={(claim) => (
          <ReviewedClaimRow claim={claim} onDecided={() => top.current?.focus()} />
        )}
      />
    </div>
  )
}

/** Opened by a mail's link. Gets the badge on click. */
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { retryUnlessRefused, useApi } from '#app/api/client.ts'
import type { CredentialContract } from '#app/identity/credentials/credential.contract.ts'
import {
  isIssuingProblem,
  SecretElsewhere,
  secretProblem,
} from '#app/identity/credentials/issuing-problem.data.ts'
import { FormError } from '#app/kit/forms/form.tsx'
import type { MY_KEY } from '#app/kit/session/live-session.data.ts'
import { useSessionKey } from '#app/kit/session/session.data.ts'
import { useSite } from '#app/kit/session/site.tsx'
import { Button } from '#app/kit/ui/button.tsx'
import { lazyDialog } from '#app/kit/ui/lazy-component.tsx'
import { linkLook } from '#app/kit/ui/looks.ts'
import { Skeleton } from '#app/kit/ui/skeleton.tsx'
import type { BadgeContract } from '../badge.contract.ts'
import { BADGE_LINK } from '../badge-texts.ts'
import type { KeptBadge } from '../kept-badges.data.ts'
import { PostBadgeMark } from './badge-mark.tsx'

/** Only the type is imported: the file is heavy. */
const MINE: typeof MY_KEY = 'me'

const BringSecretDialog = lazyDialog(() =>
  import('#app/identity/credentials/ui/bring-secret-dialog.tsx').then((it) => it.BringSecretDialog),
)

export function FetchBadge({ token, onAskAgain }: { token: string; onAskAgain: () => void }) {
  const api = useApi<BadgeContract & CredentialContract>()
  const who = useSessionKey()
  const { flags } = useSite()
  const link = useQuery({
    queryKey: [MINE, 'badge-link', who, token],
    queryFn: async () => (await import('../badge-issuing.data.ts')).companyOfLink(api, token),
    retry: (failures, error) => !isIssuingProblem(error) && retryUnlessRefused(failures, error),
  })
  const [kept, setKept] = useState<KeptBadge>()
  const [problem, setProblem] = useState<string>()
  const [isBusy, setBusy] = useState(false)
  const [isBringing, setBringing] = useState(false)
  if (link.isError)
    return (
      <div className={panelLook}>
        <FormError>{secretProblem(link.error)}</FormError>
        <Button variant="secondary" onClick={onAskAgain} className="justify-self-start">
          Ask for another link
        </Button>
      </div>
    )
  if (!link.data) return <Skeleton className="h-40 w-full rounded-xl" />
  const company = link.data
  const keep = async () => {
    setBusy(true)
    setProblem(undefined)
    try {
      const { fetchBadge } = await import('../badge-issuing.data.ts')
      setKept(await fetchBadge(api, who, { token, company }))
    } catch (error) {
      setBringing(error instanceof SecretElsewhere)
      setProblem(secretProblem(error))
    } finally {
      setBusy(false)
    }
  }
  if (kept)
    return (
      <div role="status" className={panelLook}>
        <h2 className="font-serif text-2xl leading-8 font-medium tracking-tight text-ink">
          {BADGE_LINK.kept(company.name)}
        </h2>
        <p className="text-sm leading-6 text-ink-soft">{BADGE_LINK.keptText}</p>
        <p className="flex flex-wrap gap-x-6 gap-y-2 text-sm">
          <a href={`${company.path}?tab=ratings&rate=yes`} className={linkLook}>
            {`Rate ${company.name}`}
          </a>
          {flags.enableSettings && (
            <a href="/settings#your-ratings" className={linkLook}>
              Your badges
            </a>
          )}
        </p>
      </div>
    )
  return (
    <div className={panelLook}>
      <p>
        <PostBadgeMark badge={company} />
      </p>
      <p className="text-sm leading-6 text-ink-soft">{BADGE_LINK.text}</p>
      <FormError>{problem}</FormError>
      <Button
        busy={isBusy}
        busyLabel={BADGE_LINK.keeping}
        onClick={keep}
        className="justify-self-start"
      >
        {BADGE_LINK.keep}
      </Button>
      <BringSecretDialog open={isBringing} onOpenChange={setBringing} />
    </div>
  )
}

const panelLook = 'grid gap-4 rounded-xl border border-line bg-surface p-5 md:p-6'

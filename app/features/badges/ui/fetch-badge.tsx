/** Where the link of the mail leads: the browser fetches the badge, once somebody presses. */
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { retryUnlessRefused, useApi } from '../../../api/client.ts'
import { FormError } from '../../../forms/form-error.tsx'
import type { MY_KEY } from '../../../session/live-session.data.ts'
import { useSessionKey } from '../../../session/session.data.ts'
import { useSite } from '../../../session/site.data.ts'
import { Button } from '../../../ui/button.tsx'
import { lazyDialog } from '../../../ui/lazy-component.tsx'
import { linkLook } from '../../../ui/link-look.ts'
import { Skeleton } from '../../../ui/skeleton.tsx'
import type { CredentialContract } from '../../credentials/credential.contract.ts'
import {
  isIssuingProblem,
  SecretElsewhere,
  secretProblem,
} from '../../credentials/issuing-problem.data.ts'
import type { BadgeContract } from '../badge.contract.ts'
import { BADGE_LINK } from '../badge-texts.ts'
import type { KeptBadge } from '../kept-badges.data.ts'
import { PostBadgeMark } from './badge-mark.tsx'

/** Only its type is imported: its file is heavy. */
const MINE: typeof MY_KEY = 'me'

const BringSecretDialog = lazyDialog(() =>
  import('../../credentials/ui/bring-secret-dialog.tsx').then((it) => it.BringSecretDialog),
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

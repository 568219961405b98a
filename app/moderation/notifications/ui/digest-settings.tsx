/** Chooses whether notifications also come by email, and how often. Saves immediately. */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useApi } from '#app/api/client.ts'
import { reportError } from '#app/kit/forms/refusal.ts'
import type { Me } from '#app/kit/session/session.contract.ts'
import { SettingsSection } from '#app/kit/session/settings.tsx'
import { Choice } from '#app/kit/ui/field.tsx'
import { LoadErrorLine } from '#app/kit/ui/message.tsx'
import { Skeleton } from '#app/kit/ui/skeleton.tsx'
import { toast } from '#app/kit/ui/toast.ts'
import type { NotificationContract } from '../notification.contract.ts'
import type { Digest } from '../notification.ts'
import { chooseDigest, digestQuery } from '../notification-actions.data.ts'

const CHOICES: { value: Digest; title: string; saved: string }[] = [
  { value: 'off', title: 'Never', saved: 'Email updates are off' },
  { value: 'daily', title: 'Once a day', saved: 'You’ll get news by email once a day' },
  { value: 'weekly', title: 'Once a week', saved: 'You’ll get news by email once a week' },
]

export function DigestSettings({ me }: { me: Pick<Me, 'isEmailConfirmed'> }) {
  const api = useApi<NotificationContract>()
  const queryClient = useQueryClient()
  const { data, isError, refetch } = useQuery(digestQuery(api))
  const choose = ({ value, saved }: (typeof CHOICES)[number]) =>
    chooseDigest({ api, queryClient }, value).then(
      () => toast({ id: 'digest', title: saved }),
      reportError('Couldn’t save your choice', 'digest'),
    )
  return (
    <SettingsSection
      id="digest"
      title="News by email"
      text="A short email when you have unread notifications. It says how many and names no company or thread, so anyone else who sees your mailbox learns nothing."
    >
      {!me.isEmailConfirmed && (
        <p className="mb-4 rounded-md bg-tea-soft px-4 py-3 text-sm leading-6 text-ink">
          We only email confirmed addresses. Confirm yours under{' '}
          <a href="#account" className="underline underline-offset-4">
            Account
          </a>{' '}
          first.
        </p>
      )}
      {data && (
        <fieldset
          disabled={!me.isEmailConfirmed}
          className="grid gap-3 disabled:opacity-60 sm:grid-cols-3"
        >
          <legend className="sr-only">How often</legend>
          {CHOICES.map((each) => (
            <Choice
              key={each.value}
              name="digest"
              value={each.value}
              title={each.title}
              isChosen={data.digest === each.value}
              onChoose={() => choose(each)}
            />
          ))}
        </fieldset>
      )}
      {!data && !isError && <Skeleton className="h-12 w-full rounded-lg" />}
      {!data && isError && <LoadErrorLine text="Couldn’t load your choice." onRetry={refetch} />}
    </SettingsSection>
  )
}

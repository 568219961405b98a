/** Replaces a lost secret, once the account may do so. */
import { useQuery } from '@tanstack/react-query'
import { useApi } from '#app/api/client.ts'
import { FormError, useForm } from '#app/kit/forms/form.tsx'
import { useSessionKey } from '#app/kit/session/session.data.ts'
import { Button } from '#app/kit/ui/button.tsx'
import { dateText } from '#app/kit/ui/format.ts'
import { LoadErrorLine } from '#app/kit/ui/message.tsx'
import { Skeleton } from '#app/kit/ui/skeleton.tsx'
import type { CredentialContract } from '../credential.contract.ts'
import { startOver } from '../issuing.data.ts'
import { secretProblem } from '../issuing-problem.data.ts'
import { ownCredentialQuery } from '../own-credential.data.ts'

export function LostSecretForm({ onClose, onBegun }: LostSecretFormProps) {
  const api = useApi<CredentialContract>()
  const who = useSessionKey()
  const { data, isError, refetch } = useQuery(ownCredentialQuery(api, who))
  const { form, errors, isBusy } = useForm({
    send: async () => {
      try {
        await startOver(api, who)
      } catch (error) {
        return { form: secretProblem(error) }
      }
      await onBegun()
    },
  })
  if (!data && isError) return <LoadErrorLine text="Couldn't load your backup." onRetry={refetch} />
  if (!data) return <Skeleton className="h-32 w-full rounded-lg" />
  const { anewFrom } = data
  // The server checks too, as browsers' clocks can be wrong.
  const mayBegin = anewFrom === null || anewFrom <= new Date().toISOString().slice(0, 10)
  return (
    <form {...form} className="grid gap-5">
      <FormError>{errors.form}</FormError>
      <div className="grid gap-3 text-sm leading-6 text-ink-soft">
        {mayBegin ? (
          <p>
            This device creates a new secret, and you’ll rate with that from now on. The old one
            stops working, even if you find it. You can do this once every six months.
          </p>
        ) : (
          <p>
            {'You can start over from '}
            <strong className="font-semibold text-ink">{dateText(anewFrom)}</strong>
            {
              ' on, and this device can’t rate before then. It’s once every six months, so no one can rate with one secret after another.'
            }
          </p>
        )}
        <p>Please look for your twelve words first, or for a device you rated with.</p>
      </div>
      <div className="flex flex-col-reverse gap-3 md:flex-row md:justify-end">
        <Button variant="secondary" onClick={onClose}>
          {mayBegin ? 'Cancel' : 'Close'}
        </Button>
        {mayBegin && (
          <Button type="submit" variant="danger" busy={isBusy} busyLabel="Starting over...">
            Start over
          </Button>
        )}
      </div>
    </form>
  )
}

interface LostSecretFormProps {
  onClose: () => void
  onBegun: () => Promise<void>
}

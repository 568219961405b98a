/** Makes invitations to sign up, and revokes unused ones. */
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { type Client, useApi } from '#app/api/client.ts'
import { FormError, useForm } from '#app/kit/forms/form.tsx'
import { reportError } from '#app/kit/forms/refusal.ts'
import { MY_KEY } from '#app/kit/session/my-key.ts'
import { Button } from '#app/kit/ui/button.tsx'
import { TextField } from '#app/kit/ui/field.tsx'
import { dateText } from '#app/kit/ui/format.ts'
import { LoadErrorLine } from '#app/kit/ui/message.tsx'
import { copyText } from '#app/kit/ui/share.ts'
import { toast } from '#app/kit/ui/toast.ts'
import type { InvitationContract } from '../invitation.contract.ts'
import { INVITATION_PATH } from '../sign-up.ts'

const invitationsQuery = (api: Client<InvitationContract>) =>
  queryOptions({
    queryKey: [MY_KEY, 'administration', 'invitations'],
    queryFn: ({ signal }) => api('GET /api/v1/administration/invitations', { signal }),
  })

export function Invitations() {
  const api = useApi<InvitationContract>()
  const queryClient = useQueryClient()
  const query = useQuery(invitationsQuery(api))
  const [link, setLink] = useState<string>()
  const { form, errors, isBusy } = useForm({
    send: async () => {
      const { code } = await api('POST /api/v1/administration/invitations')
      setLink(`${location.origin}${INVITATION_PATH}#${code}`)
      await queryClient.invalidateQueries(invitationsQuery(api))
    },
  })
  const revoke = async (id: string) => {
    try {
      await api('DELETE /api/v1/administration/invitations/{id}', { params: { id } })
      toast({ id: 'invitation', title: 'Invitation revoked' })
    } catch (error) {
      reportError('Couldn’t revoke it')(error)
    }
    await queryClient.invalidateQueries(invitationsQuery(api))
  }
  return (
    <div className="grid gap-4">
      <h3 className="text-sm font-semibold text-ink">Invitations</h3>
      <p className="text-sm leading-6 text-ink-soft">
        Each lets one person sign up, unless sign-up is closed. Once it’s used, nothing shows whose
        account it made.
      </p>
      {query.isError && !query.data && (
        <LoadErrorLine text="The invitations didn’t load." onRetry={query.refetch} />
      )}
      {query.data && query.data.invitations.length > 0 && (
        <ul className="divide-y divide-line border-y border-line text-sm">
          {query.data.invitations.map(({ id, start, madeOn }) => (
            <li key={id} className="flex min-h-11 flex-wrap items-center justify-between gap-x-4">
              <span className="text-ink-soft">
                <code className="font-mono text-ink">{`${start}…`}</code>
                {`, made on ${dateText(madeOn)}`}
              </span>
              <Button
                variant="link"
                size="sm"
                aria-label={`Revoke ${start}…`}
                onClick={() => revoke(id)}
              >
                Revoke
              </Button>
            </li>
          ))}
        </ul>
      )}
      <div role="status" className="empty:hidden">
        {link && (
          <div className="grid gap-3">
            <TextField
              label="Invitation link"
              hint="Copy it now. We don’t show it again."
              readOnly
              value={link}
              onFocus={(event) => event.target.select()}
            />
            <Button
              variant="secondary"
              className="justify-self-start"
              onClick={() => copyText(link, 'Link copied')}
            >
              Copy the link
            </Button>
          </div>
        )}
      </div>
      <form {...form} className="grid gap-3">
        <FormError>{errors.form}</FormError>
        <Button
          type="submit"
          variant={link ? 'ghost' : 'secondary'}
          className="justify-self-start"
          busy={isBusy}
          busyLabel="Making it..."
        >
          {link ? 'Make another one' : 'Make an invitation'}
        </Button>
      </form>
    </div>
  )
}

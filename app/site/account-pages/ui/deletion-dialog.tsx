/** Asks twice before it deletes the account. Load it with `lazyDialog`. */
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useApi } from '#app/api/client.ts'
import type { AccountContract } from '#app/identity/accounts/account.contract.ts'
import type { PostsChoice } from '#app/identity/accounts/account.ts'
import { ratingsHere } from '#app/identity/credentials/account-departure.data.ts'
import type { CredentialContract } from '#app/identity/credentials/credential.contract.ts'
import { useHolder } from '#app/identity/credentials/holder.data.ts'
import {
  ownCredentialQuery,
  secretLocation,
} from '#app/identity/credentials/own-credential.data.ts'
import { ActDialog } from '#app/kit/forms/act-dialog.tsx'
import { TypedNameField, typedNameProblem } from '#app/kit/forms/act-fields.tsx'
import { useSessionKey } from '#app/kit/session/session.data.ts'
import { useSite } from '#app/kit/session/site.tsx'
import { navigate } from '#app/kit/ui/address.ts'
import { Choice } from '#app/kit/ui/field.tsx'
import type { OpenProps } from '#app/kit/ui/lazy-component.tsx'
import { toast } from '#app/kit/ui/toast.ts'
import { deleteAccount } from '../account.data.ts'

export function DeletionDialog({ open, onOpenChange, username }: DeletionDialogProps) {
  const api = useApi<AccountContract & CredentialContract>()
  const sessionKey = useSessionKey()
  const { flags } = useSite()
  const ratings = ratingsHere(sessionKey)
  const [posts, setPosts] = useState<PostsChoice>('keep')
  const [confirmation, setConfirmation] = useState('')
  return (
    <ActDialog<'confirmation'>
      open={open}
      onOpenChange={onOpenChange}
      title="Delete account"
      texts={{
        text: 'You can’t undo this.',
        confirm: 'Delete permanently',
        busy: 'Deleting...',
        cancel: 'Keep my account',
      }}
      check={() => ({ confirmation: typedNameProblem(confirmation, username) })}
      act={() => deleteAccount(api, { sessionKey, confirmation: confirmation.trim(), posts })}
      onDone={() => {
        toast({
          title: 'Account deleted',
          description:
            posts === 'remove' && ratings > 0
              ? 'Nothing is linked to you anymore. We’re removing your ratings now. Keep Kettle open for 30 seconds.'
              : 'Nothing is linked to you anymore.',
        })
        navigate('/', { replace: true })
      }}
    >
      {(errors) => (
        <>
          <fieldset>
            <legend className="text-sm font-medium text-ink">Your posts</legend>
            <div className="mt-2 grid gap-2">
              <Choice
                name="posts"
                value="keep"
                isChosen={posts === 'keep'}
                onChoose={() => setPosts('keep')}
                title="Keep my posts up, without my name"
                text="People can still read them. Nothing links them to you."
              />
              <Choice
                name="posts"
                value="remove"
                isChosen={posts === 'remove'}
                onChoose={() => setPosts('remove')}
                title="Remove them too"
                text="Your threads and comments are deleted along with your account."
              />
            </div>
          </fieldset>
          {posts === 'remove' && <RatingsToRemove known={ratings} />}
          {flags.enableCompanies && (
            <p className="text-sm leading-6 text-ink-soft">
              If you come back with the same email, you can’t rate for up to six months, so no one
              rates twice.
            </p>
          )}
          <TypedNameField
            name={username}
            value={confirmation}
            onChange={setConfirmation}
            error={errors.confirmation}
          />
        </>
      )}
    </ActDialog>
  )
}

/** Says which ratings can be removed, because only a browser with the person's secret finds them. */
function RatingsToRemove({ known }: { known: number }) {
  const api = useApi<CredentialContract>()
  const sessionKey = useSessionKey()
  const holder = useHolder(sessionKey)
  const { data } = useQuery(ownCredentialQuery(api, sessionKey))
  const where = data && secretLocation(data, holder)
  if (where === 'elsewhere' || where === 'refused')
    return (
      <p className="text-sm leading-6 text-ink-soft">
        Only the device you rate from can remove your ratings, and this isn’t it. They’ll stay, and
        nothing links them to you. To remove them too, delete your account on that device, or
        restore your ratings here first, under “Your ratings”.
      </p>
    )
  if (known === 0) return null
  return (
    <p className="text-sm leading-6 text-ink-soft">
      {known === 1
        ? 'This browser will then remove the one rating or other entry it knows. Keep Kettle open for half a minute.'
        : `This browser will then remove the ${known} ratings and other entries it knows, one by one. Keep Kettle open for half a minute.`}
    </p>
  )
}

type DeletionDialogProps = OpenProps & { username: string }

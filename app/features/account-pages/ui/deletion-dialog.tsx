/** Asks twice before an account is deleted. Load it with `lazyDialog`. */
import { useState } from 'react'
import { useApi } from '../../../api/client.ts'
import { ActDialog } from '../../../forms/act-dialog.tsx'
import { TypedNameField, typedNameProblem } from '../../../forms/typed-name-field.tsx'
import { navigate } from '../../../ui/address.ts'
import { Choice } from '../../../ui/choice.tsx'
import type { OpenProps } from '../../../ui/lazy-component.tsx'
import { toast } from '../../../ui/toast.ts'
import type { AccountContract } from '../../accounts/account.contract.ts'
import type { PostsChoice } from '../../accounts/account.ts'
import { deleteAccount } from '../account.data.ts'

export function DeletionDialog({ open, onOpenChange, username }: DeletionDialogProps) {
  const api = useApi<AccountContract>()
  const [posts, setPosts] = useState<PostsChoice>('keep')
  const [confirmation, setConfirmation] = useState('')
  return (
    <ActDialog<'confirmation'>
      open={open}
      onOpenChange={onOpenChange}
      title="Delete account"
      words={{
        text: 'This cannot be undone.',
        confirm: 'Delete for good',
        busy: 'Deleting...',
        cancel: 'Keep my account',
      }}
      check={() => ({ confirmation: typedNameProblem(confirmation, username) })}
      act={() => deleteAccount(api, confirmation.trim(), posts)}
      onDone={() => {
        toast({ title: 'Account deleted', description: 'Everything that led to you is gone.' })
        navigate('/', { replace: true })
      }}
    >
      {(errors) => (
        <>
          <fieldset>
            <legend className="text-sm font-medium text-ink">What you wrote</legend>
            <div className="mt-2 grid gap-2">
              <Choice
                name="posts"
                value="keep"
                isChosen={posts === 'keep'}
                onChoose={() => setPosts('keep')}
                title="Leave it, without author"
                text="Others go on reading it; nothing leads from it to you."
              />
              <Choice
                name="posts"
                value="remove"
                isChosen={posts === 'remove'}
                onChoose={() => setPosts('remove')}
                title="Remove it too"
                text="Your threads and comments go with the account."
              />
            </div>
          </fieldset>
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

type DeletionDialogProps = OpenProps & { username: string }

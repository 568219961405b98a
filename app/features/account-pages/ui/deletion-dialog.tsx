/** Asks twice before an account is deleted. Load it with `lazyDialog`. */
import { useId, useState } from 'react'
import { useApi } from '../../../api/client.ts'
import { FormError } from '../../../forms/form-error.tsx'
import { refusalOf } from '../../../forms/refusal.ts'
import { useForm } from '../../../forms/use-form.ts'
import { navigate } from '../../../ui/address.ts'
import { Button } from '../../../ui/button.tsx'
import { Choice } from '../../../ui/choice.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import type { OpenProps } from '../../../ui/lazy-component.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import { toast } from '../../../ui/toast.ts'
import type { AccountContract } from '../../accounts/account.contract.ts'
import type { PostsChoice } from '../../accounts/account.ts'
import { deleteAccount } from '../account.data.ts'

export function DeletionDialog({ open, onOpenChange, username }: DeletionDialogProps) {
  const api = useApi<AccountContract>()
  const formId = useId()
  const [posts, setPosts] = useState<PostsChoice>('keep')
  const [confirmation, setConfirmation] = useState('')
  const { form, errors, isBusy } = useForm<'confirmation'>({
    check: () => ({
      confirmation:
        confirmation.trim() === username ? undefined : `Type ${username}, just as it stands here`,
    }),
    send: async () => {
      try {
        await deleteAccount(api, confirmation.trim(), posts)
      } catch (error) {
        return { form: refusalOf(error) }
      }
      onOpenChange(false)
      toast({ title: 'Account deleted', description: 'Everything that led to you is gone.' })
      navigate('/', { replace: true })
    },
  })
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title="Delete account"
      description="This cannot be undone."
      footer={
        <>
          <Button variant="secondary" onClick={() => onOpenChange(false)}>
            Keep my account
          </Button>
          <Button
            type="submit"
            form={formId}
            variant="danger"
            busy={isBusy}
            busyLabel="Deleting..."
          >
            Delete for good
          </Button>
        </>
      }
    >
      <form id={formId} {...form} className="grid gap-5">
        <FormError>{errors.form}</FormError>
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
        <TextField
          label={
            <>
              Type <strong className="font-semibold">{username}</strong> to confirm
            </>
          }
          name="confirmation"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          value={confirmation}
          onChange={(event) => setConfirmation(event.target.value)}
          error={errors.confirmation}
        />
      </form>
    </Dialog>
  )
}

type DeletionDialogProps = OpenProps & { username: string }

/** A heading with the username, and a form to change it in place. Spec §3. */
import { Pencil } from 'lucide'
import { useEffect, useRef, useState } from 'react'
import { useApi } from '#app/api/client.ts'
import type { AccountContract } from '#app/identity/accounts/account.contract.ts'
import { USERNAME_MAX, USERNAME_MIN, usernameProblem } from '#app/identity/accounts/username.ts'
import { useForm } from '#app/kit/forms/form.tsx'
import { refusalOf } from '#app/kit/forms/refusal.ts'
import { Button, IconButton } from '#app/kit/ui/button.tsx'
import { TextField } from '#app/kit/ui/field.tsx'
import { Icon } from '#app/kit/ui/icon.tsx'
import { toast } from '#app/kit/ui/toast.ts'
import { takeUsername } from '../account.data.ts'

export function UsernameEditor({ username }: { username: string }) {
  const [isEditing, setEditing] = useState(false)
  const pencil = useRef<HTMLButtonElement>(null)
  const hasEdited = useRef(false)
  useEffect(() => {
    // Closing the form lost the focus.
    if (!isEditing && hasEdited.current) pencil.current?.focus()
    hasEdited.current = isEditing
  }, [isEditing])
  return (
    <>
      <div className="flex items-center justify-center gap-1.5 md:justify-start">
        <h1 className="min-w-0 font-serif text-4xl leading-tight font-medium tracking-tight text-ink">
          {username}
        </h1>
        {!isEditing && (
          <IconButton ref={pencil} label="Change username" onClick={() => setEditing(true)}>
            <Icon of={Pencil} />
          </IconButton>
        )}
      </div>
      {isEditing && <UsernameForm username={username} onClose={() => setEditing(false)} />}
    </>
  )
}

function UsernameForm({ username, onClose }: { username: string; onClose: () => void }) {
  const api = useApi<AccountContract>()
  const [wanted, setWanted] = useState(username)
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => input.current?.select(), [])
  const { form, errors, isBusy } = useForm<'username'>({
    check: () => ({ username: usernameProblem(wanted.trim()) }),
    send: async () => {
      const fresh = wanted.trim()
      if (fresh === username) return onClose()
      try {
        await takeUsername(api, fresh)
      } catch (error) {
        return { username: refusalOf(error) }
      }
      toast({ title: 'Username changed', description: `You’re now ${fresh}.` })
      onClose()
    },
  })
  return (
    <form
      {...form}
      onKeyDown={(event) => event.key === 'Escape' && onClose()}
      className="mt-4 grid gap-3 text-left sm:max-w-sm"
    >
      <TextField
        ref={input}
        label="Username"
        name="username"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        hint={`${USERNAME_MIN} to ${USERNAME_MAX} letters, digits, "_" or "-"`}
        value={wanted}
        onChange={(event) => setWanted(event.target.value)}
        error={errors.username}
      />
      <div className="flex gap-3">
        <Button type="submit" busy={isBusy} busyLabel="Saving...">
          Save
        </Button>
        <Button variant="ghost" onClick={onClose}>
          Cancel
        </Button>
      </div>
    </form>
  )
}

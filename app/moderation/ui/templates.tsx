import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Pencil, Trash2 } from 'lucide'
import { useRef, useState } from 'react'
import { useApi } from '#app/api/client.ts'
import type { DecisionContract, NoteTemplate } from '#app/community/reports/decision.contract.ts'
import { templatesQuery } from '#app/community/reports/decision.data.ts'
import {
  placeholderProblem,
  TEMPLATE_NAME_MAX,
  templateProblems,
} from '#app/community/reports/note-to-author.ts'
import { NOTE_TO_AUTHOR_MAX } from '#app/community/reports/report.ts'
import { closeAndFocus, FormError, useForm } from '#app/kit/forms/form.tsx'
import { reportError } from '#app/kit/forms/refusal.ts'
import { Button, CancelButton, IconButton } from '#app/kit/ui/button.tsx'
import { TextArea, TextField } from '#app/kit/ui/field.tsx'
import { Icon } from '#app/kit/ui/icon.tsx'
import { LoadErrorLine } from '#app/kit/ui/message.tsx'
import { Skeleton } from '#app/kit/ui/skeleton.tsx'
import { toast } from '#app/kit/ui/toast.ts'
import { leaveBy } from '#app/kit/ui/unsaved-guard.ts'
import { lengthOf } from '#app/kit/writing/text.ts'

export function Templates() {
  const api = useApi<DecisionContract>()
  const queryClient = useQueryClient()
  const query = useQuery(templatesQuery(api))
  const [edited, setEdited] = useState<NoteTemplate | 'new'>()
  const invalidate = () => queryClient.invalidateQueries(templatesQuery(api))
  const remove = async ({ id, name }: NoteTemplate) => {
    try {
      await api('DELETE /api/v1/moderation/templates/{id}', { params: { id } })
      toast({ title: `“${name}” was removed` })
    } catch (error) {
      reportError('Couldn’t remove it')(error)
    }
    await invalidate()
  }
  const newButton = useRef<HTMLButtonElement>(null)
  const changeButton = useRef<HTMLButtonElement>(undefined)
  const close = async () => {
    closeAndFocus(
      () => setEdited(undefined),
      () => (edited === 'new' ? newButton : changeButton).current,
    )
    await invalidate()
  }
  if (query.isError && !query.data)
    return <LoadErrorLine text="The templates didn’t load." onRetry={query.refetch} />
  if (!query.data) return <Skeleton className="h-20 w-full" />
  return (
    <>
      {query.data.length > 0 && (
        <ul className="mb-4 divide-y divide-line border-y border-line">
          {query.data.map((template) => (
            <li key={template.id} className="flex items-start gap-2 py-3 text-sm leading-6">
              <div className="min-w-0 flex-1 break-words">
                <p className="font-medium text-ink">{template.name}</p>
                <p className="whitespace-pre-line text-ink-soft">{template.body}</p>
              </div>
              <IconButton
                label={`Change ${template.name}`}
                onClick={({ currentTarget }) =>
                  leaveBy(() => {
                    changeButton.current = currentTarget
                    setEdited(template)
                  })
                }
              >
                <Icon of={Pencil} />
              </IconButton>
              <IconButton label={`Remove ${template.name}`} onClick={() => remove(template)}>
                <Icon of={Trash2} />
              </IconButton>
            </li>
          ))}
        </ul>
      )}
      {edited ? (
        <TemplateForm
          key={edited === 'new' ? 'new' : edited.id}
          template={edited === 'new' ? undefined : edited}
          onClose={close}
        />
      ) : (
        <Button ref={newButton} variant="secondary" onClick={() => setEdited('new')}>
          New template
        </Button>
      )}
    </>
  )
}

function TemplateForm({ template, onClose }: TemplateFormProps) {
  const api = useApi<DecisionContract>()
  const [name, setName] = useState(template?.name ?? '')
  const [body, setBody] = useState(template?.body ?? '')
  const { form, errors, isBusy } = useForm<'name' | 'body'>({
    check: () => templateProblems({ name, body }),
    send: async () => {
      if (template)
        await api('PUT /api/v1/moderation/templates/{id}', {
          params: { id: template.id },
          body: { name, body },
        })
      else await api('POST /api/v1/moderation/templates', { body: { name, body } })
      toast({ title: 'Template saved' })
      onClose()
    },
  })
  return (
    <form {...form} className="grid gap-4 rounded-xl border border-line bg-sunken p-4 md:p-5">
      <FormError>{errors.form}</FormError>
      <TextField
        label="Name"
        value={name}
        maxLength={TEMPLATE_NAME_MAX}
        onChange={({ target }) => setName(target.value)}
        error={errors.name}
        autoFocus
      />
      <TextArea
        label="Note to the author"
        rows={4}
        value={body}
        onChange={({ target }) => setBody(target.value)}
        error={placeholderProblem(body) ?? errors.body}
        limit={{ length: lengthOf(body.trim()), max: NOTE_TO_AUTHOR_MAX }}
      />
      <div className="flex justify-end gap-2">
        <CancelButton onCancel={onClose} />
        <Button type="submit" busy={isBusy} busyLabel="Saving...">
          Save template
        </Button>
      </div>
    </form>
  )
}

interface TemplateFormProps {
  /** Undefined for a new template. */
  template: NoteTemplate | undefined
  onClose: () => void
}

import { Bold, Code, type IconNode, Italic, Link, List, TextQuote } from 'lucide'
import {
  type KeyboardEvent,
  type ReactNode,
  type Ref,
  type SyntheticEvent,
  useEffect,
  useId,
  useImperativeHandle,
  useRef,
  useState,
} from 'react'
import { IconButton } from '../ui/button.tsx'
import { controlClasses } from '../ui/class-names.ts'
import { cx } from '../ui/cx.ts'
import { FieldNotes, type FieldProps, useField } from '../ui/field.tsx'
import { Icon } from '../ui/icon.tsx'
import { toast } from '../ui/toast.ts'
import { lengthOf } from './text.ts'
import { changeOf, editText, type TextEdit } from './text-edit.ts'
import { TextPreview } from './text-preview.tsx'

const SHORTCUTS: Record<string, TextEdit> = { b: 'bold', i: 'italic', k: 'link' }

export interface EditorHandle {
  /** Selects a part of the text. */
  select: (start: number, end: number) => void
}

/** A text box with formatting and a preview. Ctrl+Enter submits the form around it. */
export function MarkdownEditor(props: MarkdownEditorProps) {
  const { label, isLabelHidden, hint, error, value, onChange, isCompact, placeholder } = props
  const { max, count = lengthOf } = props
  const limit = { length: count(value), max }
  const field = useField({ ...props, limit })
  const id = useId()
  const area = useRef<HTMLTextAreaElement>(null)
  const [view, setView] = useState<EditorView>('write')
  const [wanted, setWanted] = useState<{ start: number; end: number }>()

  // Text typed before hydration didn't fire an event.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, on arrival
  useEffect(() => {
    const early = area.current?.value
    if (early && early !== value) onChange(early)
  }, [])

  // People must see a refused text to fix it.
  useEffect(() => {
    if (error) setView('write')
  }, [error])

  useEffect(() => {
    if (!wanted || view !== 'write' || !area.current) return
    area.current.focus()
    area.current.setSelectionRange(wanted.start, wanted.end)
    setWanted(undefined)
  }, [wanted, view])

  useImperativeHandle(props.ref, () => ({
    select: (start, end) => {
      setView('write')
      setWanted({ start, end })
    },
  }))

  function apply(edit: TextEdit) {
    const box = area.current
    if (!box) return
    const after = editText(
      { text: box.value, start: box.selectionStart, end: box.selectionEnd },
      edit,
    )
    const change = changeOf(box.value, after.text)
    box.focus()
    box.setSelectionRange(change.start, change.end)
    // Inserted as if typed, so Ctrl+Z works. If a browser refuses that, we set the value.
    const isTyped =
      change.text === ''
        ? document.execCommand('delete')
        : document.execCommand('insertText', false, change.text)
    if (!isTyped || box.value !== after.text) onChange(after.text)
    setWanted({ start: after.start, end: after.end })
  }

  function pressKey(event: KeyboardEvent<HTMLTextAreaElement>) {
    if (event.nativeEvent.isComposing || event.shiftKey || event.altKey) return
    if (!event.ctrlKey && !event.metaKey) return
    const edit = SHORTCUTS[event.key.toLowerCase()]
    if (edit) {
      event.preventDefault()
      apply(edit)
    } else if (event.key === 'Enter') {
      event.preventDefault()
      event.currentTarget.form?.requestSubmit()
    }
  }

  return (
    // As wide as its container, never as its content, because a preview can contain code and tables.
    <div className="grid grid-cols-1 gap-1.5">
      <label
        htmlFor={field.id}
        className={cx(isLabelHidden ? 'sr-only' : 'text-sm font-medium text-ink')}
      >
        {label}
      </label>
      <div
        className={cx(
          'rounded-md border bg-surface transition-colors focus-within:border-tea',
          error ? 'border-danger' : 'border-line-strong',
        )}
      >
        <div className="flex flex-wrap items-center justify-between gap-x-2 border-b border-line px-1.5 no-js:hidden">
          <EditorTabs id={id} view={view} onView={setView} />
          {view === 'write' && <EditorToolbar controls={field.id} onEdit={apply} />}
        </div>
        <div
          role="tabpanel"
          id={`${id}-write-panel`}
          aria-labelledby={`${id}-write`}
          hidden={view !== 'write'}
        >
          <textarea
            ref={area}
            dir="auto"
            {...field.control}
            name={props.name}
            // biome-ignore lint/a11y/noAutofocus: only where a person just asked to write
            autoFocus={props.autoFocus}
            placeholder={placeholder}
            value={value}
            onChange={(event) => onChange(event.target.value)}
            onKeyDown={pressKey}
            onPaste={(event) => refuseFiles(event, event.clipboardData)}
            onDrop={(event) => refuseFiles(event, event.dataTransfer)}
            className={cx(
              controlClasses,
              'field-sizing-content block max-h-[60vh] rounded-t-none border-0 py-3 leading-6 md:text-[0.9375rem]',
              isCompact ? 'min-h-24' : 'min-h-56',
            )}
          />
        </div>
        <div
          role="tabpanel"
          id={`${id}-preview-panel`}
          aria-labelledby={`${id}-preview`}
          // biome-ignore lint/a11y/noNoninteractiveTabindex: a panel without controls takes the focus itself (APG)
          tabIndex={0}
          hidden={view !== 'preview'}
          className={cx('px-3 py-3', isCompact ? 'min-h-24' : 'min-h-56')}
        >
          {view === 'preview' && <TextPreview text={value} />}
        </div>
      </div>
      <FieldNotes hint={hint} error={error} limit={limit} ids={field} />
    </div>
  )
}

/**
 * If pasted files come with text, as from a table, we paste the text. We refuse a file alone, so it doesn't vanish
 * silently.
 */
function refuseFiles(event: SyntheticEvent, { files, types }: DataTransfer) {
  if (files.length === 0 || types.includes('text/plain')) return
  event.preventDefault()
  toast({
    id: 'no-pictures',
    title: 'You can’t post pictures',
    description: 'They can show more than you mean to. Describe what’s in them instead.',
  })
}

export type MarkdownEditorProps = Omit<FieldProps, 'limit'> & {
  ref?: Ref<EditorHandle>
  label: ReactNode
  name?: string
  value: string
  onChange: (value: string) => void
  max: number
  /** How the server counts. Default: `lengthOf` */
  count?: (text: string) => number
  placeholder?: string
  autoFocus?: boolean
  /** Starts with fewer lines, for comments. */
  isCompact?: boolean
}

const VIEWS = [
  { key: 'write', name: 'Write' },
  { key: 'preview', name: 'Preview' },
] as const
type EditorView = (typeof VIEWS)[number]['key']

/** Arrow keys switch. The panels are `{id}-{view}-panel`, the tabs `{id}-{view}`. */
function EditorTabs({ id, view, onView }: EditorTabsProps) {
  const list = useRef<HTMLDivElement>(null)
  const pressKey = (event: KeyboardEvent) => {
    if (!['ArrowLeft', 'ArrowRight', 'Home', 'End'].includes(event.key)) return
    event.preventDefault()
    const next =
      event.key === 'Home'
        ? 'write'
        : event.key === 'End'
          ? 'preview'
          : view === 'write'
            ? 'preview'
            : 'write'
    onView(next)
    list.current?.querySelector<HTMLElement>(`[data-view=${next}]`)?.focus()
  }
  return (
    <div ref={list} role="tablist" aria-label="Editor" className="flex" onKeyDown={pressKey}>
      {VIEWS.map(({ key, name }) => (
        <button
          key={key}
          type="button"
          role="tab"
          id={`${id}-${key}`}
          data-view={key}
          aria-selected={view === key}
          aria-controls={`${id}-${key}-panel`}
          tabIndex={view === key ? 0 : -1}
          onClick={() => onView(key)}
          className={cx(
            '-mb-px h-11 border-b-2 px-3 text-sm font-medium transition-colors md:h-10',
            view === key
              ? 'border-tea text-ink'
              : 'border-transparent text-ink-soft hover:text-ink',
          )}
        >
          {name}
        </button>
      ))}
    </div>
  )
}

interface EditorTabsProps {
  id: string
  view: EditorView
  onView: (view: EditorView) => void
}

/** The editor's formatting buttons: one Tab stop with arrow keys (APG toolbar). */
const TOOLS: Record<TextEdit, { label: string; icon: IconNode; keys?: string }> = {
  bold: { label: 'Bold', icon: Bold, keys: 'Control+B Meta+B' },
  italic: { label: 'Italic', icon: Italic, keys: 'Control+I Meta+I' },
  quote: { label: 'Quote', icon: TextQuote },
  code: { label: 'Code', icon: Code },
  link: { label: 'Link', icon: Link, keys: 'Control+K Meta+K' },
  list: { label: 'List', icon: List },
}

const EDITS = Object.keys(TOOLS) as TextEdit[]

function EditorToolbar({ controls, onEdit }: EditorToolbarProps) {
  const bar = useRef<HTMLDivElement>(null)
  const [current, setCurrent] = useState(0)
  const pressKey = (event: KeyboardEvent) => {
    const count = EDITS.length
    const next = {
      ArrowRight: (current + 1) % count,
      ArrowLeft: (current + count - 1) % count,
      Home: 0,
      End: count - 1,
    }[event.key]
    if (next === undefined) return
    event.preventDefault()
    setCurrent(next)
    bar.current?.querySelectorAll('button')[next]?.focus()
  }
  return (
    <div
      ref={bar}
      role="toolbar"
      aria-label="Formatting"
      aria-controls={controls}
      className="flex"
      onKeyDown={pressKey}
    >
      {EDITS.map((edit, index) => {
        const { label, icon, keys } = TOOLS[edit]
        return (
          <IconButton
            key={edit}
            label={label}
            aria-keyshortcuts={keys}
            tabIndex={index === current ? 0 : -1}
            onFocus={() => setCurrent(index)}
            // Keeps the selection.
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => onEdit(edit)}
            className="[&_svg]:size-4"
          >
            <Icon of={icon} />
          </IconButton>
        )
      })}
    </div>
  )
}

interface EditorToolbarProps {
  /** The text area's id. */
  controls: string
  onEdit: (edit: TextEdit) => void
}

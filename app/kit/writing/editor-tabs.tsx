/** The two sides of the editor: the text as it is written, and as it will look. */
import { type KeyboardEvent, useRef } from 'react'
import { cx } from '../ui/cx.ts'

const VIEWS = [
  { key: 'write', name: 'Write' },
  { key: 'preview', name: 'Preview' },
] as const
export type EditorView = (typeof VIEWS)[number]['key']

/** Arrow keys change the side. The panels are `{id}-{view}-panel`, the tabs `{id}-{view}`. */
export function EditorTabs({ id, view, onView }: EditorTabsProps) {
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

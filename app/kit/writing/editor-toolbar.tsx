/** The editor's formatting buttons: one Tab stop with arrow keys (APG toolbar). */
import { Bold, Code, type IconNode, Italic, Link, List, TextQuote } from 'lucide'
import { type KeyboardEvent, useRef, useState } from 'react'
import { IconButton } from '../ui/button.tsx'
import { Icon } from '../ui/icon.tsx'
import type { TextEdit } from './text-edit.ts'

const TOOLS: Record<TextEdit, { label: string; icon: IconNode; keys?: string }> = {
  bold: { label: 'Bold', icon: Bold, keys: 'Control+B Meta+B' },
  italic: { label: 'Italic', icon: Italic, keys: 'Control+I Meta+I' },
  quote: { label: 'Quote', icon: TextQuote },
  code: { label: 'Code', icon: Code },
  link: { label: 'Link', icon: Link, keys: 'Control+K Meta+K' },
  list: { label: 'List', icon: List },
}

const EDITS = Object.keys(TOOLS) as TextEdit[]

export function EditorToolbar({ controls, onEdit }: EditorToolbarProps) {
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

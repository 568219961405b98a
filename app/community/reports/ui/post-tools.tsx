/** A moderator's tools below a post. Load this lazily, because readers don't need it. */

import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Shield } from 'lucide'
import { useState } from 'react'
import { useApi } from '#app/api/client.ts'
import type { PickedCompany } from '#app/companies/ui/company-picker.tsx'
import { reportError } from '#app/kit/forms/refusal.ts'
import { Icon } from '#app/kit/ui/icon.tsx'
import { lazyDialog } from '#app/kit/ui/lazy-component.tsx'
import { MenuButton } from '#app/kit/ui/menu-button.tsx'
import type { DecisionContract } from '../decision.contract.ts'
import {
  endSlowMode,
  keepPost,
  latestAboutNotesQuery,
  latestInThreadQuery,
  type PostQueries,
  pinThread,
  setThreadLocked,
} from '../decision.data.ts'
import type { Post } from '../report.data.ts'
import type { HiddenState } from '../report.ts'
import type { PostOrder } from './post-tools-menu.tsx'

const PostToolsMenu = lazyDialog(() =>
  import('./post-tools-menu.tsx').then((it) => it.PostToolsMenu),
)
const RemovalDialog = lazyDialog(() =>
  import('./removal-dialog.tsx').then((it) => it.RemovalDialog),
)
const SuspensionDialog = lazyDialog(() =>
  import('./suspension-dialog.tsx').then((it) => it.SuspensionDialog),
)
const LockDialog = lazyDialog(() => import('./thread-dialogs.tsx').then((it) => it.LockDialog))
const SlowDialog = lazyDialog(() => import('./thread-dialogs.tsx').then((it) => it.SlowDialog))
const MoveDialog = lazyDialog(() => import('./thread-dialogs.tsx').then((it) => it.MoveDialog))

export function ThreadTools({ thread }: { thread: ToolsThread }) {
  const { id, isLocked, isPinned, slowMinutes, company } = thread
  const queries = usePostQueries({ kind: 'thread', id }, id)
  const [asking, setAsking] = useState<PostOrder>()
  const ask = { asking, setAsking }
  if (!queries) return null
  return (
    <>
      <MenuButton
        size="sm"
        icon={<Icon of={Shield} />}
        preload={PostToolsMenu.preload}
        menu={(popup) => (
          <PostToolsMenu
            {...popup}
            label="Moderate this thread"
            thread={{ isLocked, isPinned, slowMinutes }}
            onOrder={(order) => {
              if (order === 'lock' && isLocked)
                setThreadLocked(queries, false).catch(reportError('Couldn’t unlock it'))
              else if (order === 'slow' && slowMinutes !== null)
                endSlowMode(queries).catch(reportError('Couldn’t end slow mode'))
              else if (order === 'pin')
                pinThread(queries, !isPinned).catch(
                  reportError(isPinned ? 'Couldn’t unpin it' : 'Couldn’t pin it'),
                )
              else setAsking(order)
            }}
          />
        )}
      >
        Moderate
      </MenuButton>
      <RemovalDialog {...dialog(ask, 'remove')} queries={queries} />
      <SuspensionDialog {...dialog(ask, 'suspend')} queries={queries} />
      <LockDialog {...dialog(ask, 'lock')} queries={queries} />
      <SlowDialog {...dialog(ask, 'slow')} queries={queries} />
      <MoveDialog {...dialog(ask, 'move')} key={company?.id} queries={queries} company={company} />
    </>
  )
}

export function CommentTools({ comment, name, threadId }: CommentToolsProps) {
  const queries = usePostQueries({ kind: 'comment', id: comment.id }, threadId)
  const [asking, setAsking] = useState<PostOrder>()
  const ask = { asking, setAsking }
  if (!queries) return null
  return (
    <>
      <MenuButton
        size="sm"
        aria-label={`Moderate ${name}`}
        data-tooltip="Moderate"
        icon={<Icon of={Shield} />}
        preload={PostToolsMenu.preload}
        className="-my-1 text-ink-faint"
        menu={(popup) => (
          <PostToolsMenu
            {...popup}
            label={`Moderate ${name}`}
            hidden={comment.removal?.state}
            onOrder={(order) => {
              if (order === 'keep') keepPost(queries).catch(reportError('Couldn’t show it'))
              else setAsking(order)
            }}
          />
        )}
      />
      <RemovalDialog {...dialog(ask, 'remove')} queries={queries} />
      <SuspensionDialog {...dialog(ask, 'suspend')} queries={queries} />
    </>
  )
}

/** @param position the note's place in its list */
export function NoteTools({ id, position, companyId }: NoteToolsProps) {
  const name = `Moderate this note, number ${position}`
  const tools = useTools()
  const { data } = useQuery(latestAboutNotesQuery(tools.api, companyId))
  const [asking, setAsking] = useState<PostOrder>()
  if (!data) return null
  const queries = {
    ...tools,
    post: { kind: 'note' as const, id },
    threadId: null,
    seen: data.entries[id] ?? 0,
  }
  return (
    <>
      <MenuButton
        size="sm"
        aria-label={name}
        data-tooltip="Moderate"
        icon={<Icon of={Shield} />}
        preload={PostToolsMenu.preload}
        className="-my-1 text-ink-faint"
        menu={(popup) => <PostToolsMenu {...popup} label={name} isNote onOrder={setAsking} />}
      />
      <RemovalDialog {...dialog({ asking, setAsking }, 'remove')} queries={queries} />
    </>
  )
}

interface Ask {
  asking: PostOrder | undefined
  setAsking: (order: PostOrder | undefined) => void
}

const dialog = ({ asking, setAsking }: Ask, order: PostOrder) => ({
  open: asking === order,
  onOpenChange: (open: boolean) => setAsking(open ? order : undefined),
})

interface ToolsThread {
  id: string
  isLocked: boolean
  isPinned: boolean
  slowMinutes: number | null
  company: PickedCompany | null
}

interface CommentToolsProps {
  comment: { id: string; removal: { state: HiddenState } | null }
  /** "comment by …" */
  name: string
  threadId: string
}

interface NoteToolsProps {
  id: string
  position: number
  companyId: string
}

const useTools = () => ({ api: useApi<DecisionContract>(), queryClient: useQueryClient() })

/** Undefined until we know what was decided so far. */
function usePostQueries(
  post: Post,
  threadId: string,
): (PostQueries & { threadId: string }) | undefined {
  const tools = useTools()
  const { data } = useQuery(latestInThreadQuery(tools.api, threadId))
  return data && { ...tools, post, threadId, seen: data.entries[post.id] ?? 0 }
}

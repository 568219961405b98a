/** The decision buttons. Each shows which key does the same, and keeps the focus while it waits. */
import { Ban, Check, CheckCheck, Eraser, type IconNode, Lock, LockOpen, Trash2 } from 'lucide'
import { isAuthorless } from '#app/community/reports/report.ts'
import { useSession } from '#app/kit/session/session.data.ts'
import { KeyCap } from '#app/kit/ui/badge.tsx'
import { Button, type ButtonProps } from '#app/kit/ui/button.tsx'
import { Icon } from '#app/kit/ui/icon.tsx'
import type { Case } from '../moderation.contract.ts'
import type { GroupCommand, QueueCommand } from '../moderation.ts'

export function DecisionButton({
  icon,
  keyName,
  isBusy,
  children,
  ...button
}: DecisionButtonProps) {
  return (
    <Button
      variant="secondary"
      size="sm"
      aria-disabled={isBusy || undefined}
      icon={<Icon of={icon} />}
      {...button}
    >
      {children}
      <KeySign name={keyName} />
    </Button>
  )
}

type DecisionButtonProps = Omit<ButtonProps, 'icon'> & {
  icon: IconNode
  keyName?: string | undefined
  isBusy: boolean
}

/** The key, for people who can see it. */
export function KeySign({ name }: { name: string | undefined }) {
  if (!name) return null
  return (
    <span aria-hidden="true" className="max-md:hidden">
      <KeyCap>{name}</KeyCap>
    </span>
  )
}

/** Why we can't suspend anyone for this post. */
const OF_NOBODY_TEXTS = {
  note: 'The stars or answers with it still count. No one can tell who wrote a note, so you can’t suspend anyone for it.',
  job: 'A job belongs to its company. To stop the people behind it, revoke their claim.',
  reply: 'A reply belongs to its company. To stop the people behind it, revoke their claim.',
  room: 'No one can tell who wrote a room post, so you can’t suspend anyone for it.',
}

export function DecisionButtons({ item, isBusy, hasKeys, onCommand }: DecisionButtonsProps) {
  const maySuspend = useSession().me?.can.includes('suspendAuthors') ?? false
  const isAppeal = item.appeal?.status === 'open'
  const isLocked = isAppeal && item.appeal?.mayDecide === false
  const all = item.sameAuthor.length + 1
  const decides = (command: QueueCommand | GroupCommand, keyName?: string) => ({
    isBusy,
    keyName: hasKeys ? keyName : undefined,
    onClick: () => {
      if (!isBusy) onCommand(command)
    },
  })
  return (
    <div className="mt-5 flex flex-wrap items-center gap-2 border-t border-line pt-4">
      {item.heldVotes && (
        <>
          <DecisionButton {...decides('count', 'C')} icon={CheckCheck}>
            Count the votes
          </DecisionButton>
          <DecisionButton {...decides('drop', 'D')} icon={Eraser}>
            Drop the votes
          </DecisionButton>
        </>
      )}
      {!isLocked && (
        <>
          {(isAppeal || !item.heldVotes) && (
            <DecisionButton {...decides('keep', 'A')} icon={Check}>
              {isAppeal || item.state === 'held' ? 'Show again' : 'Keep'}
            </DecisionButton>
          )}
          <DecisionButton {...decides('remove', 'R')} icon={Trash2}>
            {isAppeal ? 'Leave it removed...' : 'Remove...'}
          </DecisionButton>
        </>
      )}
      {all > 1 && (
        <>
          <DecisionButton {...decides('keep-all')} variant="ghost" icon={CheckCheck}>
            {`Show all ${all} again`}
          </DecisionButton>
          <DecisionButton {...decides('remove-all')} variant="ghost" icon={Trash2}>
            {`Remove all ${all}...`}
          </DecisionButton>
        </>
      )}
      {isAuthorless(item.kind) ? (
        <p className="text-[0.8125rem] text-ink-faint">{OF_NOBODY_TEXTS[item.kind]}</p>
      ) : (
        <>
          {maySuspend && (
            <DecisionButton {...decides('suspend', 'S')} variant="ghost" icon={Ban}>
              Suspend...
            </DecisionButton>
          )}
          <DecisionButton
            {...decides('lock', 'L')}
            variant="ghost"
            icon={item.isLocked ? LockOpen : Lock}
          >
            {item.isLocked ? 'Unlock' : 'Lock'}
          </DecisionButton>
        </>
      )}
    </div>
  )
}

export interface DecisionButtonsProps {
  item: Case
  isBusy: boolean
  /** Whether keyboard shortcuts are on, so the buttons show them. */
  hasKeys: boolean
  onCommand: (command: QueueCommand | GroupCommand) => void
}

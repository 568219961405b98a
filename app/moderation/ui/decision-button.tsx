/** A button that decides, and shows which key does the same. It keeps the focus while it waits. */
import type { IconNode } from 'lucide'
import { Button, type ButtonProps } from '#app/kit/ui/button.tsx'
import { Icon } from '#app/kit/ui/icon.tsx'
import { KeyCap } from '#app/kit/ui/key-cap.tsx'

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

/** Repeats for the eye which key does the same. */
export function KeySign({ name }: { name: string | undefined }) {
  if (!name) return null
  return (
    <span aria-hidden="true" className="max-md:hidden">
      <KeyCap>{name}</KeyCap>
    </span>
  )
}

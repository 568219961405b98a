import { CSPProvider } from '@base-ui/react/csp-provider'
import { Tooltip } from '@base-ui/react/tooltip'
import { useRef } from 'react'

/** A tooltip's popup. Base UI only positions it. The host opens and closes it. */
export function TooltipPopup({ element, id }: TooltipPopupProps) {
  // Keeps its text while it fades out.
  const last = useRef<HTMLElement>(undefined)
  if (element) last.current = element
  return (
    <CSPProvider disableStyleElements>
      <Tooltip.Root open={element !== undefined}>
        <Tooltip.Portal>
          <Tooltip.Positioner anchor={last.current} sideOffset={8} className="z-[90]">
            <Tooltip.Popup
              id={id}
              role="tooltip"
              className="max-w-72 rounded-md bg-ink px-2.5 py-1.5 text-xs leading-4 text-paper shadow-popup transition-opacity duration-100 data-ending-style:opacity-0 data-starting-style:opacity-0"
            >
              {last.current?.dataset.tooltip}
            </Tooltip.Popup>
          </Tooltip.Positioner>
        </Tooltip.Portal>
      </Tooltip.Root>
    </CSPProvider>
  )
}

export interface TooltipPopupProps {
  /** The element whose tooltip shows. */
  element: HTMLElement | undefined
  id: string
}

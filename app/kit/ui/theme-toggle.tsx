import { Moon, Sun } from 'lucide'
import { IconButton } from './button.tsx'
import { Icon } from './icon.tsx'
import { toggleTheme, useTheme } from './theme.ts'

/**
 * Spec §2.3. The server doesn't know the theme, so it sends both states and the styles show one. first-script.js sets
 * the theme before the first paint, and keeps early presses. Presses while it hydrates count, too.
 */
export function ThemeToggle({ className }: { className?: string }) {
  const { theme } = useTheme()
  if (!theme)
    return (
      <IconButton className={className} onClick={toggleTheme}>
        <Icon of={Moon} className="in-[.dark]:hidden" />
        <Icon of={Sun} className="in-[.light]:hidden" />
        <span className="sr-only in-[.dark]:hidden">{wayTo('dark')}</span>
        <span className="sr-only in-[.light]:hidden">{wayTo('light')}</span>
      </IconButton>
    )
  const other = theme === 'dark' ? 'light' : 'dark'
  return (
    <IconButton label={wayTo(other)} className={className} onClick={toggleTheme}>
      {theme === 'dark' ? <Icon of={Sun} /> : <Icon of={Moon} />}
    </IconButton>
  )
}

const wayTo = (theme: 'light' | 'dark') => `Switch to ${theme} mode`

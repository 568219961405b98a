/** Our own modules are as nobody used them: unit tests share a process, and what a module remembers is a page's, or a site's. */
import { vi } from 'vitest'

vi.resetModules()

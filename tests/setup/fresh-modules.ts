/**
 * Resets our own modules between files, because what they remember belongs to one page, and mocks belong to one
 * file.
 */
import { vi } from 'vitest'

vi.resetModules()

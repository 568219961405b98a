/**
 * Whether we can trust this process's clock. Once, a clock jumped, and jumped back seconds later, and a
 * cleanup deleted a month of posts. So a new time counts only once it has lasted.
 */

/** Smaller corrections are normal. */
const JUMP_MS = 60_000
/** How long a new time must last. */
const BELIEVED_AFTER_MS = 10 * 60_000

/**
 * @param clocks.wall a settable clock, in ms
 * @param clocks.steady a monotonic clock, in ms
 * @returns a function that says on each call whether the clock runs evenly
 */
export function createClockWatch({
  wall = () => Date.now(),
  steady = () => performance.now(),
} = {}): () => boolean {
  const offset = () => wall() - steady()
  let believed = offset()
  let doubted: { offset: number; since: number } | undefined
  const differs = (one: number, other: number) => Math.abs(one - other) > JUMP_MS

  return function isClockSteady() {
    const present = offset()
    if (differs(present, believed)) {
      if (!doubted || differs(present, doubted.offset))
        doubted = { offset: present, since: steady() }
      if (steady() - doubted.since < BELIEVED_AFTER_MS) return false
    }
    doubted = undefined
    believed = present
    return true
  }
}

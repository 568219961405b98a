/**
 * Whether this process's clock may be believed. One that jumps, and jumps back some seconds later, has
 * swept away a month of what somebody wrote; so a new time is believed when it has lasted.
 */

/** Clocks are set by so much without a reason to worry. */
const JUMP_MS = 60_000
/** So long a new time must last. */
const BELIEVED_AFTER_MS = 10 * 60_000

/**
 * @param clocks.wall milliseconds of the clock that can be set
 * @param clocks.steady milliseconds of one that only goes forward
 * @returns asks whether the clock has run evenly: at each look
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

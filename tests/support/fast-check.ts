/** fast-check with the run's seed. Not in seed.ts, because loading it takes a while, and most files don't need it. */
import fc from 'fast-check'

fc.configureGlobal({ seed: Number(process.env.TEST_SEED) })

export default fc

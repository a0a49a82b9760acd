/*! Includes @orama/stemmers, of Snowball's; Apache-2.0 licence. */
export { stemmer } from '@orama/stemmers/finnish';

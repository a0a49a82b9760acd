/** The alias of `prism.js`. */
declare module '@pincite/prism' {
  export {Prism} from 'prism-react-renderer';
}

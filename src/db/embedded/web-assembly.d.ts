// The type library of ECMAScript does not declare WebAssembly. This file declares the part that the engine needs.
declare namespace WebAssembly {
  type Module = object
  function compile(bytes: Uint8Array): Promise<Module>
}

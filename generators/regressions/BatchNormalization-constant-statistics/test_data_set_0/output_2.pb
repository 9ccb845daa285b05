
Bvar_outJ’>ÿ<|@e?+=a@
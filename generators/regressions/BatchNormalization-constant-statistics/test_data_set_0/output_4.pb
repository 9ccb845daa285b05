
B	saved_varJÔ?‡>@¼?Á>-@